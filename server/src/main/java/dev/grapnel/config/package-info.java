/// What an operator can set, and how it is read from flags, variables, a file and defaults (service 10).
///
/// Start at [Settings]: the one table of all settings, from which help, reference and tests are made.
/// [ConfigReader] finds the value of each and gathers every problem before anybody hears of one. Each part of
/// the program takes a record of its own, made from [Configuration] where the program is put together.
///
/// [OwnerKey] finds the operator's key, which is no setting, because none of what is told about settings may
/// tell it. [ServiceDomain] is the address that follows from several settings.
///
/// Not here: files and processes, but for the one file in which the key is kept. Flags, variables and lines of
/// the configuration file come in as maps.
@NullMarked
package dev.grapnel.config;

import org.jspecify.annotations.NullMarked;
