namespace Cluster.Slim.Codecs;

/// <summary>
/// The numbers of buckets that the framework's hashed collections go through when they grow by themselves. It does not
/// tell them; a test compares them with what collections really have.
/// </summary>
internal static class TableSizes
{
    internal static readonly int[] Grown =
    [
        3, 7, 17, 37, 89, 197, 431, 919, 1931, 4049, 8419, 17519, 36353, 75431, 156437, 324449, 672827, 1395263,
        2893249, 5999471, 11998949, 23997907, 47995853, 95991737, 191983481, 383966977, 767933981, 1535867969,
    ];
}
