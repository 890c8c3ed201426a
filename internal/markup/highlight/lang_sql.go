package highlight

var sql = grammar{
	words: []wordList{
		{class: 't', words: "character smallint interval decimal serial8 varying boolean varchar integer numeric " +
			"serial binary bigint number float array text real int8 date char blob dec bit int timestamptz jsonb " +
			"uuid bytea bigserial tinyint mediumint datetime nvarchar double"},
		{class: 'k', words: "abort absolute access action add after aggregate all alter always analyze analyse " +
			"and any as asc asymmetric at attach authorization auto_increment autoincrement avg backward before " +
			"begin between both by cache call called cascade cascaded case cast catalog chain char_length " +
			"character_length check checkpoint class close cluster coalesce collate collation column comment " +
			"commit committed concurrently conflict connect constraint constraints contains continue convert copy " +
			"count create cross cube current current_date current_role current_time current_timestamp " +
			"current_user cursor cycle data database day deallocate declare default deferrable deferred definer " +
			"delete delimiter desc describe detach diagnostics dictionary distinct do domain drop each else elsif " +
			"enable encoding encrypted end engine escape every except exception exclude excluded exclusive exec " +
			"execute exists exit explain extension external extract false fetch fields filter first following for " +
			"force foreign forward found free freeze from full function functions generated get global go grant " +
			"granted group grouping handler having hour identity if ignore ilike immediate immutable in including " +
			"increment index indexes inherits initially inner inout input insensitive insert instead intersect " +
			"into invoker is isnull isolation join key lag language large last lateral lead leading leave left " +
			"length level like limit listen load local localtime localtimestamp location lock loop lower map " +
			"match materialized max merge min minute mod mode modify month move names natural new next no none " +
			"normalize not nothing notify notnull now null nullif nulls of off offset oids old on only open " +
			"operator option or order out outer over overlaps overlay owner parameter partial partition password " +
			"position pragma preceding precision prepare prepared preserve primary prior privileges procedural " +
			"procedure procedures public range read recheck recursive references refresh reindex relative release " +
			"rename repeat repeatable replace reset restart restrict return returning returns revoke right role " +
			"rollback rollup row row_number rows rule savepoint schema scroll search second security select " +
			"sequence serializable session session_user set setof share show similar simple some space sql stable " +
			"start statement statistics stdin stdout storage strict substring sum symmetric system table tables " +
			"tablespace temp template temporary then time timestamp to trailing transaction trigger trim true " +
			"truncate trusted type unbounded uncommitted union unique unknown unlisten unlogged until update " +
			"upper usage use user using vacuum valid validator value values verbose version view virtual volatile " +
			"when where while window with within without work write year zone"},
	},
	delims: []delim{
		{class: 'c', open: "--", shut: "\n"},
		{class: 'c', open: "/*", shut: "*/", lines: true, nest: true},
		{class: 's', open: "'", shut: "'", double: true, lines: true},
		{class: 's', open: `"`, shut: `"`, double: true, lines: true},
	},
	part: "$",
	fold: true,
}
