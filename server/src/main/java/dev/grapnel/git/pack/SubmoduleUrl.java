package dev.grapnel.git.pack;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Addresses of submodules that harm clients of old versions: options in disguise, newlines that end up in a
/// credential helper's input, and relative ones that climb beyond the host.
final class SubmoduleUrl {
    private static final List<String> SCHEMES = List.of("http", "https", "ftp", "ftps");
    private static final int PORT_MAX = 65_535;

    private SubmoduleUrl() {}

    static boolean isSafe(String url) {
        if (url.startsWith("-")) {
            return false;
        }
        if (url.startsWith("./") || url.startsWith("../") || url.startsWith("git://")) {
            return !hasNewline(url) && !climbsBeyondHost(url);
        }
        var web = findWebUrl(url);
        return web == null || (isWebUrl(web) && !hasNewline(web));
    }

    /// `http://…` and `http::anything`, which git hands to the same program.
    private static @Nullable String findWebUrl(String url) {
        for (var scheme : SCHEMES) {
            if (url.startsWith(scheme + "::")) {
                return url.substring(scheme.length() + 2);
            }
            if (url.startsWith(scheme + "://")) {
                return url;
            }
        }
        return null;
    }

    private static boolean climbsBeyondHost(String url) {
        int at = 0;
        int climbs = 0;
        while (true) {
            if (url.startsWith("../", at)) {
                climbs++;
                at += 3;
            } else if (url.startsWith("./", at)) {
                at += 2;
            } else {
                return climbs > 0 && at < url.length() && (url.charAt(at) == ':' || url.charAt(at) == '/');
            }
        }
    }

    /// Scheme, host and perhaps port, as every reader of addresses would find them.
    private static boolean isWebUrl(String url) {
        int host = url.indexOf("://");
        if (host < 1 || !url.substring(0, host).toLowerCase(Locale.ROOT).matches("[a-z][a-z0-9+.-]*")) {
            return false;
        }
        int end = host + 3;
        while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        var authority = url.substring(host + 3, end);
        authority = authority.substring(authority.lastIndexOf('@') + 1);
        int colon = authority.lastIndexOf(':');
        boolean hasPort = colon >= 0 && authority.indexOf(']', colon) < 0;
        var name = hasPort ? authority.substring(0, colon) : authority;
        return !name.isEmpty()
                && name.chars().allMatch(SubmoduleUrl::isOfHost)
                && (!hasPort || isPort(authority.substring(colon + 1)));
    }

    private static boolean isOfHost(int character) {
        return character > ' ' && character != 0x7f && "<>\"^`{|}\\".indexOf(character) < 0;
    }

    private static boolean isPort(String text) {
        return text.isEmpty()
                || (text.length() <= 5
                        && text.chars().allMatch(digit -> digit >= '0' && digit <= '9')
                        && Integer.parseInt(text) <= PORT_MAX);
    }

    /// Also one that is written with a percent sign.
    private static boolean hasNewline(String url) {
        return url.indexOf('\n') >= 0 || url.toLowerCase(Locale.ROOT).contains("%0a");
    }
}
