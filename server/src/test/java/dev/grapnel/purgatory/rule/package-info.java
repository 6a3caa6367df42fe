/// Tests of the rules that decide about events, and of what operators are told about them.
@NullMarked
package dev.grapnel.purgatory.rule;

import org.jspecify.annotations.NullMarked;
