mtype = { data, ho_cmd, ho_com, ho_acc, ho_fail, ch_rel, white, red, blue };
chan inp = [1] of { mtype };
chan out = [1] of { mtype };
byte a_id, p_id;
proctype CC(chan fa, fp, l)
{	chan old, new, x;
	mtype v;
	do
	:: inp?v -> printf("data\n"); fa!data; fa!v
	:: l?new ->
		fa!ho_cmd; fa!new;
		printf("hand-off\n");
		if
		:: fp?ho_com ->
			printf("release\n");
			fa!ch_rel; fa?old; l!old;
			x = fa; fa = fp; fp = x
		:: fa?ho_fail -> printf("fail\n"); l!new
		fi
	od
}
proctype HC(chan l, m)
{	do
	:: l!m; l?m
	od
}
proctype BS(chan f, m; bit first)
{	chan v;
	if
	:: first -> goto Active
	:: else -> goto Passive
	fi;
Active:
	printf("active\n");
	do
	:: f?data -> f?v; m!data; m!v
	:: f?ho_cmd ->
progress:	f?v; m!ho_cmd; m!v;
		if
		:: f?ch_rel -> f!m; goto Passive
		:: m?ho_fail -> printf("failure\n"); f!ho_fail
		fi
	od;
Passive:
	printf("passive\n");
	m?ho_acc -> f!ho_com;
	goto Active
}
proctype MS(chan m)
{	chan new;
	mtype v;
	do
	:: m?data -> m?v; out!v
	:: m?ho_cmd; m?new;
		if
		:: new!ho_acc; m = new
		:: m!ho_fail
		fi
	od
}
proctype MSC(chan fa, fp, m) { chan l = [0] of { chan }; atomic { run HC(l, m); run CC(fa, fp, l) } }
proctype P(chan fa, fp)      { chan m = [0] of { mtype }; atomic { run MSC(fa, fp, m); p_id = run BS(fp, m, 0) } }
proctype Q(chan fa)          { chan m = [0] of { mtype }; atomic { a_id = run BS(fa, m, 1); run MS(m) } }
active proctype System()     { chan fa = [0] of { mtype }; chan fp = [0] of { mtype };
                               atomic { run P(fa, fp); run Q(fa) } }
active proctype top() { do :: inp!red; inp!white; inp!blue od }
active proctype bot() { do :: out?red; out?white; out?blue od }
