mtype = { data, ho_cmd, ho_com, ho_acc, ho_fail, ch_rel, white, red, blue };
chan inp = [1] of { mtype };
chan out = [1] of { mtype };
chan fa = [0] of { chan };
chan fp = [0] of { chan };
chan m1 = [0] of { chan };
chan m2 = [0] of { chan };
chan l  = [0] of { chan };
byte a_id, p_id;
proctype CC()
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
proctype HC(chan m)
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
active proctype System()
{	atomic {
		run HC(m1);
		run CC();
		p_id = run BS(fp, m1, 0);
		a_id = run BS(fa, m2, 1);
		run MS(m2)
	}
end:	do
	:: inp!red; inp!white; inp!blue
	od
}
active proctype Out()
{
end:	do
	:: out?red; out?white; out?blue
	od
}
