/// What an operator can set, and how it is read from flags, variables, a file and defaults (service 10).
///
/// Start at [Settings]: the one table of all settings, from which help, reference and tests are made.
/// [ConfigReader] finds the value of each and gathers every problem before anybody hears of one. Each part of
/// the program takes a record of its own, made from [Configuration] where the program is put together.
///
/// Not here: files and processes. Flags, variables and lines of the file come in as maps.
@NullMarked
package dev.grapnel.config;

import org.jspecify.annotations.NullMarked;
