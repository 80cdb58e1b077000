# The locals of each function that calls stop().
set print address off
break stop
commands
silent
up-silently
info locals
echo \n
continue
end
run
