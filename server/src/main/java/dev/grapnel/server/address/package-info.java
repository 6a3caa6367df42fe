/// Whose connection this is, and how much an address may do (relay 6.6, 6.7).
///
/// Start at [ClientAddresses], which finds the client behind a proxy, and [AddressBook], the one place where
/// addresses are counted. [AddressLimits] is what an operator can set.
///
/// Not here: names. An address is read from its digits and nobody is ever asked for one. Nor bans, which others
/// keep by [ClientAddress].
///
/// The book has one lock for coming and going, and each [Allowance] a small one of its own for messages; who
/// holds the book's may take an allowance's, never the other way round.
@NullMarked
package dev.grapnel.server.address;

import org.jspecify.annotations.NullMarked;
