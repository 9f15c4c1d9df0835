/* config.h - reads the environment variables.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_CONFIG_H
#define REGMON_CONFIG_H

/* Reads the variables into regmon_state.config. ENVIRONMENT may be NULL: all have their defaults.
   PROGRAM is the path of the program, or NULL. */
void config_read(char **environment, const char *program);

/* Reads GMON_OUT_PREFIX again, since programs set it while they run; prints a message if another
   value is invalid.  Not in a signal handler. */
void config_read_prefix(char **environment);

/* Prints a message for each variable whose value is invalid. */
void config_complain(char **environment);

#endif
