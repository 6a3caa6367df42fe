/// Runs the operator's commands as an operator would, in this process and in others.
@NullMarked
package dev.grapnel.command;

import org.jspecify.annotations.NullMarked;
