/// Web and relay addresses that strangers write, and the address of this service.
///
/// Start at [WebUrl], our own strict reader: `java.net.URI` refuses raw UTF-8 in hosts, decodes paths before
/// they can be split, and knows nothing of default ports. [ServiceAddress] answers whether such a URL means
/// us and writes our own. Not here: resolving, connecting, and which addresses may be connected to.
/// Everything is immutable.
@NullMarked
package dev.grapnel.nostr.url;

import org.jspecify.annotations.NullMarked;
