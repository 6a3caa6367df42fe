package dev.grapnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/// Rules of this repository that no tool knows. Each failure says where and what to do instead.
final class HouseRulesTest {
    private static final int LINES_MAX = 600;

    /// Places in main sources that may print or sleep, by path from the root, with the reason.
    private static final Map<String, String> MAY_PRINT_OR_SLEEP =
            Map.of("bench/src/main", "a benchmark's output is its table");

    private static final Pattern PRINTING_OR_SLEEPING =
            Pattern.compile("System\\.(out|err)\\b|\\.printStackTrace\\(|Thread\\.sleep\\(");

    private static final Pattern SKIPPING = Pattern.compile("(?m)^\\s*@(Disabled|Enabled)\\w*"
            + "|org\\.junit\\.jupiter\\.api\\.(Disabled|Assumptions|condition)\\b|Test[A]bortedException");

    private static final Pattern NAME_OF_TEST =
            Pattern.compile("@(?:Test|ParameterizedTest|RepeatedTest)\\b[^{;]*?\\bvoid (\\w+)\\(", Pattern.DOTALL);

    private static final Pattern UNRELEASED =
            Pattern.compile("(?i)snapshot|alpha|beta|milestone|preview|[.-](m|rc|cr|ea|b|pre)[.-]?\\d*$");

    private static final Set<String> ADDRESS_ELEMENTS = Set.of(
            "repository",
            "repositories",
            "pluginRepository",
            "pluginRepositories",
            "snapshotRepository",
            "distributionManagement");

    private static final Pattern ADDRESS = Pattern.compile("https?://|distributionUrl");

    @Test
    void nothingIsSkippedAnywhere() throws IOException {
        var breaches = filesMatching(isJavaIn("test"), SKIPPING);
        assertEquals(List.of(), breaches, "a test that may be skipped proves nothing: make it run or delete it");
    }

    @Test
    void namesAreSentencesAboutBehaviour() throws IOException {
        var breaches = new ArrayList<String>();
        for (var file : files(isJavaIn("test"))) {
            NAME_OF_TEST
                    .matcher(read(file))
                    .results()
                    .map(name -> name.group(1))
                    .filter(name -> name.startsWith("test") || name.contains("Test"))
                    .forEach(name -> breaches.add(file + ": " + name));
        }
        assertEquals(List.of(), breaches, "say what is true, without the word test");
    }

    @Test
    void versionsStandInTheRootPomOnly() throws IOException {
        var breaches = new ArrayList<String>();
        for (var file : files(HouseRulesTest::isPom)) {
            versionsWrittenOutIn(read(file)).forEach(version -> breaches.add(file + ": " + version));
        }
        assertEquals(List.of(), breaches, "write the version as a version.… property of the root pom and refer to it");
    }

    @Test
    void onlyReleasedVersionsAreUsed() throws IOException {
        assertEquals(List.of(), unreleasedVersionsIn(read(Path.of("pom.xml"))), "name a released version");
    }

    @Test
    void nothingNamesRepositoryAddresses() throws IOException {
        var breaches = filesMatching(HouseRulesTest::isScript, ADDRESS);
        for (var file : files(HouseRulesTest::isPom)) {
            elementsOf(read(file)).stream()
                    .map(Element::getTagName)
                    .filter(ADDRESS_ELEMENTS::contains)
                    .forEach(name -> breaches.add(file + ": <" + name + ">"));
        }
        assertEquals(List.of(), breaches, "where libraries come from is the business of each machine's settings");
    }

    @Test
    void everyPackageIsNullMarkedInItsPackageInfo() throws IOException {
        var marked = files(isJavaIn("main").or(isJavaIn("test"))).stream()
                .filter(file -> file.endsWith("package-info.java") && containsNullMarked(file))
                .map(HouseRulesTest::packageOf)
                .toList();
        var unmarked = files(isJavaIn("main").or(isJavaIn("test"))).stream()
                .map(HouseRulesTest::packageOf)
                .distinct()
                .filter(name -> !marked.contains(name))
                .toList();
        assertEquals(List.of(), unmarked, "add a package-info.java with @NullMarked and say what the package is for");
    }

    @Test
    void mainSourcesNeitherPrintNorSleep() throws IOException {
        var breaches = filesMatching(
                isJavaIn("main")
                        .and(file -> MAY_PRINT_OR_SLEEP.keySet().stream().noneMatch(place -> file.startsWith(place))),
                PRINTING_OR_SLEEPING);
        assertEquals(List.of(), breaches, "log, write to the command's own stream, or wait through the scheduler");
    }

    @Test
    void exceptionsFromPrintingRuleAreStillNeeded() throws IOException {
        for (var place : MAY_PRINT_OR_SLEEP.keySet()) {
            var uses = filesMatching(isJavaIn("main").and(file -> file.startsWith(place)), PRINTING_OR_SLEEPING);
            assertTrue(!uses.isEmpty(), place + " no longer needs its exception");
        }
    }

    @Test
    void javaFilesAreShortEnoughToRead() throws IOException {
        var breaches = new ArrayList<String>();
        for (var file : files(isJavaIn("main").or(isJavaIn("test")))) {
            long lines = read(file).lines().count();
            if (lines >= LINES_MAX) {
                breaches.add(file + ": " + lines + " lines");
            }
        }
        assertEquals(List.of(), breaches, "split it; fewer than " + LINES_MAX + " lines");
    }

    @Test
    void rulesNoticeWhatTheyForbid() {
        assertTrue(SKIPPING.matcher("    @" + "Disabled(\"later\")").find());
        assertTrue(SKIPPING.matcher("@" + "EnabledOnOs(LINUX)").find());
        assertTrue(SKIPPING.matcher("import static org.junit.jupiter.api." + "Assumptions.assumeTrue;")
                .find());
        assertTrue(PRINTING_OR_SLEEPING.matcher("e.printStackTrace();").find());
        assertTrue(ADDRESS.matcher("curl https" + "://example.org").find());
        assertEquals(
                List.of("1.2.3"),
                versionsWrittenOutIn("<project><parent><version>1</version></parent><dependencies><dependency>"
                        + "<version>1.2.3</version></dependency></dependencies></project>"));
        assertEquals(
                List.of("1.0-SNAPSHOT", "2.0.0-M1", "3.0-rc2", "4.0-beta-1", "5.0.0.RC1"),
                unreleasedVersionsIn("<project><properties><version.a>1.0-SNAPSHOT</version.a>"
                        + "<version.b>2.0.0-M1</version.b><version.c>3.0-rc2</version.c><version.d>4.0-beta-1</version.d>"
                        + "<version.e>5.0.0.RC1</version.e><version.f>7.8.0.202609011348-r</version.f>"
                        + "<version.g>33.5.0-jre</version.g></properties></project>"));
    }

    private static Predicate<Path> isJavaIn(String tree) {
        return file -> file.getNameCount() > 3
                && file.subpath(1, 4).equals(Path.of("src", tree, "java"))
                && file.toString().endsWith(".java");
    }

    private static boolean isPom(Path file) {
        return file.endsWith("pom.xml");
    }

    private static boolean isScript(Path file) {
        return file.equals(Path.of("mvnw"))
                || file.equals(Path.of("grapnel"))
                || List.of("scripts", ".ci", ".mvn").contains(file.getName(0).toString())
                || file.toString().endsWith(".sh");
    }

    private static List<Path> files(Predicate<Path> wanted) throws IOException {
        return Checkout.files().stream().filter(wanted).toList();
    }

    private static List<String> filesMatching(Predicate<Path> wanted, Pattern pattern) throws IOException {
        var found = new ArrayList<String>();
        for (var file : files(wanted)) {
            pattern.matcher(read(file))
                    .results()
                    .forEach(hit -> found.add(file + ": " + hit.group().strip()));
        }
        return found;
    }

    private static String read(Path file) throws IOException {
        return Files.readString(Checkout.root().resolve(file));
    }

    private static boolean containsNullMarked(Path file) {
        try {
            return read(file).contains("@NullMarked");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String packageOf(Path javaFile) {
        return javaFile.subpath(4, javaFile.getNameCount() - 1).toString().replace('/', '.');
    }

    /// Versions of dependencies and plugins that are text instead of a reference to a property.
    private static List<String> versionsWrittenOutIn(String pom) {
        return elementsOf(pom).stream()
                .filter(element -> element.getTagName().equals("version"))
                .filter(element -> List.of("dependency", "plugin", "path", "extension", "exclusion")
                        .contains(element.getParentNode().getNodeName()))
                .map(element -> element.getTextContent().strip())
                .filter(version -> !version.startsWith("${"))
                .toList();
    }

    private static List<String> unreleasedVersionsIn(String pom) {
        return elementsOf(pom).stream()
                .filter(element -> element.getTagName().startsWith("version."))
                .map(element -> element.getTextContent().strip())
                .filter(version -> UNRELEASED.matcher(version).find())
                .toList();
    }

    private static List<Element> elementsOf(String xml) {
        try {
            var nodes = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(xml)))
                    .getElementsByTagName("*");
            var elements = new ArrayList<Element>();
            for (int i = 0; i < nodes.getLength(); i++) {
                elements.add((Element) nodes.item(i));
            }
            return elements;
        } catch (Exception e) {
            throw new IllegalArgumentException("not XML", e);
        }
    }
}
