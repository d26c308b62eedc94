"""The functions a statement may call, by engine: those that only compute on their arguments, within reasonable bounds.

Left out: whatever reads files, settings, catalogs or the session, runs text as SQL, sleeps, locks, changes state, or grows a
value without bound (repeat, lpad, printf).
"""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """A set written as text, its members parted by spaces."""
    return frozenset(text.split())


COMMON = words("""
    abs avg ceil ceiling coalesce concat count cume_dist dense_rank exp first_value floor greatest instr lag last_value lead
    least length ln log log10 lower ltrim max min mod nth_value ntile nullif percent_rank pow power rank replace round
    row_number rtrim sign sqrt substr substring sum trim upper
""")

DUCKDB = COMMON | words("""
    acos add age any_value approx_count_distinct arbitrary arg_max arg_min argmax argmin array_agg array_extract array_length
    array_slice array_to_string asin atan atan2 bit_and bit_count bit_or bool_and bool_or cbrt century char_length
    character_length concat_ws contains corr cos cot count_if count_star countif covar_pop covar_samp current_date
    current_timestamp damerau_levenshtein date date_add date_diff date_part date_sub date_trunc datediff datepart datesub
    datetrunc day dayname dayofmonth dayofweek dayofyear decade degrees divide element_at ends_with entropy epoch epoch_ms
    even extract fdiv first flatten fmod group_concat grouping grouping_id histogram hour if ifnull isfinite isinf isnan
    isodow isoyear jaccard jaro_similarity json_array json_array_length json_extract json_extract_path json_extract_path_text
    json_extract_string json_keys json_object json_type json_valid julian kurtosis last last_day left len levenshtein list
    list_aggr list_aggregate list_any_value list_avg list_concat list_contains list_cosine_similarity list_count list_distinct
    list_extract list_filter list_has list_max list_min list_position list_reverse list_slice list_sort list_sum
    list_transform list_unique list_value list_zip listagg mad make_date make_timestamp map_contains map_extract map_keys
    map_values max_by md5 mean median microsecond millisecond min_by minute mode month monthname multiply nanosecond now pi
    position prefix product quantile quantile_cont quantile_disc quarter radians regexp_extract regexp_full_match
    regexp_matches regexp_replace regr_intercept regr_r2 regr_slope reverse right row second sin skewness split split_part
    starts_with stddev stddev_pop stddev_samp strftime string_agg string_split strip_accents strlen strpos strptime
    struct_extract struct_pack subtract suffix tan time_bucket timezone to_days to_hours to_json to_minutes to_months
    to_seconds to_weeks to_years today trunc try_strptime unicode unnest var_pop var_samp variance week weekday weekofyear xor
    year yearweek
""")

DUCKDB_OPERATORS = words("+ - * / // % ^ ** || & | ~ << >> ~~ !~~ ~~* !~~* ~~~ @> <@ && ^@ -> ->>")

# Functions that make rows out of nothing, allowed where their bounds are small whole numbers written in the statement.
SERIES = words("generate_series range")
MAX_SERIES = 10_000

DUCKDB_TABLE_FUNCTIONS = words("unnest json_each")

SQLITE = COMMON | words("""
    -> ->> acos asin atan atan2 char cos date datetime degrees glob group_concat ifnull iif json json_array json_array_length
    json_each json_extract json_group_array json_group_object json_object json_tree json_type json_valid julianday like pi
    quote radians sin strftime string_agg tan time timediff total trunc typeof unicode unixepoch
""")

POSTGRES = COMMON | words("""
    age any_value array_agg array_append array_length array_lower array_position array_remove array_to_string array_upper
    ascii bit_and bit_length bit_or bool_and bool_or btrim cardinality cbrt char_length character_length concat_ws corr cos
    covar_pop covar_samp date date_bin date_part date_trunc degrees div every extract float8 grouping initcap int4 int8
    isempty isfinite json_agg json_array_elements json_array_elements_text json_array_length json_build_object json_each
    json_each_text json_extract_path json_extract_path_text json_object_agg json_strip_nulls json_typeof jsonb_agg
    jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_object jsonb_each jsonb_each_text
    jsonb_extract_path jsonb_extract_path_text jsonb_object_agg jsonb_object_keys jsonb_path_exists jsonb_path_query_first
    jsonb_pretty jsonb_strip_nulls jsonb_typeof justify_days justify_hours justify_interval left like_escape lower_inf
    make_date make_interval make_timestamp md5 min_scale mode now numeric octet_length overlaps overlay percentile_cont
    percentile_disc pi position radians regexp_count regexp_match regexp_replace regexp_substr regr_count regr_intercept
    regr_r2 regr_slope reverse right row_to_json scale similar_to_escape sin split_part starts_with stddev stddev_pop
    stddev_samp string_agg string_to_array strpos tan text timezone to_char to_date to_json to_jsonb to_number to_timestamp
    translate trim_scale trunc unnest upper_inf var_pop var_samp variance width_bucket
""")

POSTGRES_OPERATORS = words("""
    != !~ !~* !~~ !~~* # #> #>> % & && * + - -> ->> -|- / < << <= <> <@ = > >= >> ? ?& ?| @ @> @? @@ ^ ^@ | |/ || ||/ ~ ~* ~~
    ~~*
""")
