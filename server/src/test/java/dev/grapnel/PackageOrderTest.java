package dev.grapnel;

import static java.lang.constant.ConstantDescs.CD_Object;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Packages name only earlier ones, so there are no cycles and everything can be read from the top of the
/// list.
final class PackageOrderTest {
    private static final String ROOT = "dev.grapnel";

    /// Packages below `dev.grapnel`, each using only those before it. The last is `dev.grapnel` itself: the
    /// parts list.
    private static final List<String> ORDER = List.of(
            "nostr",
            "nostr.json",
            "nostr.key",
            "nostr.event",
            "nostr.nip19",
            "nostr.url",
            "nostr.filter",
            "nostr.negentropy",
            "nostr.message",
            "nostr.rule",
            "nostr.auth",
            "nostr.repository",
            "config",
            "log",
            "outbound",
            "websocket",
            "outbound.http",
            "outbound.websocket",
            "store.table",
            "store.row",
            "store",
            "store.engine",
            "store.memory",
            "store.lmdb",
            "store.tool",
            "git",
            "git.wire",
            "git.pack",
            "git.refs",
            "git.repository",
            "git.reach",
            "git.pool",
            "git.fetch",
            "git.push",
            "git.maintenance",
            "git.client",
            "purgatory.pool",
            "purgatory",
            "purgatory.push",
            "purgatory.rule",
            "purgatory.reconcile",
            "purgatory.intake",
            "purgatory.hunt",
            "purgatory.legacy",
            "sync.world",
            "sync.home",
            "sync.index",
            "sync.health",
            "sync.received",
            "sync.link",
            "sync",
            "server.address",
            "server.websocket",
            "server.live",
            "server.relay",
            "server.ops",
            "server.web",
            "server.git",
            "server.hunt",
            "server.sync",
            "server.control",
            "server",
            "client",
            "command",
            "");

    /// Types in descriptors and generic signatures; a class may name a type only there.
    private static final Pattern TYPE = Pattern.compile("L(dev/grapnel/[^;<:]+)[;<]");

    @Test
    void packagesNameOnlyEarlierOnes() throws IOException, URISyntaxException {
        var breaches = new ArrayList<String>();
        for (var module : List.of("nostr", "server")) {
            var classes = compiledClasses(module);
            assertTrue(!classes.isEmpty(), "no compiled classes of " + module + ": build it together with server");
            classes.forEach(model -> breaches.addAll(breachesOf(model)));
        }
        assertEquals(List.of(), breaches);
    }

    @Test
    void namingLaterPackageIsNoticedWhereverTheNameStands() {
        var later = ClassDesc.of("dev.grapnel.git.Oid");
        assertEquals(List.of(breach("git")), breachesOf(classWith(later, Place.FIELD)));
        assertEquals(List.of(breach("git")), breachesOf(classWith(later, Place.ARRAY_OF_PARAMETER)));
        assertEquals(List.of(breach("git")), breachesOf(classWith(later, Place.SUPERCLASS)));
        assertEquals(List.of(breach("git")), breachesOf(classWith(later, Place.ANNOTATION)));
        assertEquals(List.of(breach("git")), breachesOf(classWith(later, Place.CALL)));
        assertEquals(List.of(breach("")), breachesOf(classWith(ClassDesc.of("dev.grapnel.Grapnel"), Place.CALL)));
    }

    @Test
    void namingEarlierPackageIsFine() {
        for (var place : Place.values()) {
            assertEquals(List.of(), breachesOf(classWith(ClassDesc.of("dev.grapnel.nostr.event.Event"), place)));
        }
    }

    @Test
    void packageThatIsNotInTheOrderIsNoticed() {
        var bytes = ClassFile.of().build(ClassDesc.of("dev.grapnel.misc.Things"), _ -> {});
        assertEquals(
                List.of(
                        "dev.grapnel.misc.Things is in a package that PackageOrderTest does not know: add the package to"
                                + " ORDER, after everything it uses and before everything that uses it"),
                breachesOf(ClassFile.of().parse(bytes)));
    }

    private static List<String> breachesOf(ClassModel model) {
        var name = model.thisClass().asInternalName();
        int position = ORDER.indexOf(packageOf(name));
        var dotted = name.replace('/', '.');
        if (position < 0) {
            return List.of(
                    dotted + " is in a package that PackageOrderTest does not know: add the package to ORDER, after"
                            + " everything it uses and before everything that uses it");
        }
        return packagesNamedIn(model).stream()
                .filter(named -> ORDER.indexOf(named) > position)
                .map(named -> breach(dotted, named))
                .toList();
    }

    private static String breach(String named) {
        return breach("dev.grapnel.store.Sample", named);
    }

    private static String breach(String name, String named) {
        var later = named.isEmpty() ? ROOT : ROOT + "." + named;
        return name + " names the later package " + later
                + ": move the class there, or own the question as an interface" + " in its present package and let "
                + later + " implement it";
    }

    private static Set<String> packagesNamedIn(ClassModel model) {
        var packages = new TreeSet<String>();
        for (var entry : model.constantPool()) {
            if (entry instanceof ClassEntry type && type.asInternalName().startsWith("dev/grapnel/")) {
                packages.add(packageOf(type.asInternalName()));
            } else if (entry instanceof Utf8Entry text) {
                TYPE.matcher(text.stringValue()).results().forEach(type -> packages.add(packageOf(type.group(1))));
            }
        }
        return packages;
    }

    /// The package of an internal name, without `dev.grapnel`.
    private static String packageOf(String internalName) {
        var dotted = internalName.substring(0, internalName.lastIndexOf('/')).replace('/', '.');
        return dotted.equals(ROOT) ? "" : dotted.substring(ROOT.length() + 1);
    }

    private static List<ClassModel> compiledClasses(String module) throws IOException, URISyntaxException {
        var classes = new ArrayList<ClassModel>();
        var directory = Checkout.classesOf(module);
        if (Files.isDirectory(directory)) {
            for (var file : Checkout.filesBelow(directory)) {
                if (file.toString().endsWith(".class")) {
                    classes.add(ClassFile.of().parse(directory.resolve(file)));
                }
            }
        }
        return classes;
    }

    private enum Place {
        FIELD,
        ARRAY_OF_PARAMETER,
        SUPERCLASS,
        ANNOTATION,
        CALL
    }

    /// A class in `store` that names a type in one place only.
    private static ClassModel classWith(ClassDesc named, Place place) {
        var bytes = ClassFile.of().build(ClassDesc.of("dev.grapnel.store.Sample"), sample -> {
            var nothing = MethodTypeDesc.ofDescriptor("()V");
            switch (place) {
                case FIELD -> sample.withField("field", named, 0);
                case ARRAY_OF_PARAMETER ->
                    sample.withMethodBody(
                            "method", nothing.insertParameterTypes(0, named.arrayType()), 0, code -> code.return_());
                case SUPERCLASS -> sample.withSuperclass(named);
                case ANNOTATION ->
                    sample.withSuperclass(CD_Object)
                            .with(RuntimeVisibleAnnotationsAttribute.of(java.lang.classfile.Annotation.of(named)));
                case CALL ->
                    sample.withMethodBody(
                            "method",
                            nothing,
                            ClassFile.ACC_STATIC,
                            code -> code.invokestatic(named, "run", nothing).return_());
            }
        });
        return ClassFile.of().parse(bytes);
    }
}
