namespace Cluster.Slim.Keys;

/// <summary>Lists the numbers of buckets that the framework's hashed collections have. The framework does not publish
/// these numbers; a test compares them with real collections.</summary>
internal static class TableSizes
{
    /// <summary>The numbers of buckets of a collection that grows by itself, in order.</summary>
    public static readonly int[] Grown =
    [
        3, 7, 17, 37, 89, 197, 431, 919, 1931, 4049, 8419, 17519, 36353, 75431, 156437, 324449, 672827, 1395263,
        2893249, 5999471, 11998949, 23997907, 47995853, 95991737, 191983481, 383966977, 767933981, 1535867969,
    ];
    // For collections that are created for a number of entries. Above the last number, the framework searches for a
    // prime.
    private static readonly int[] Made =
    [
        3, 7, 11, 17, 23, 29, 37, 47, 59, 71, 89, 107, 131, 163, 197, 239, 293, 353, 431, 521, 631, 761, 919, 1103,
        1327, 1597, 1931, 2333, 2801, 3371, 4049, 4861, 5839, 7013, 8419, 10103, 12143, 14591, 17519, 21023, 25229,
        30293, 36353, 43627, 52361, 62851, 75431, 90523, 108631, 130363, 156437, 187751, 225307, 270371, 324449,
        389357, 467237, 560689, 672827, 807403, 968897, 1162687, 1395263, 1674319, 2009191, 2411033, 2893249, 3471899,
        4166287, 4999559, 5999471, 7199369,
    ];

    /// <summary>The number of buckets of a collection that is created for <paramref name="count"/> entries.</summary>
    public static int For(int count)
    {
        var at = Array.BinarySearch(Made, count);
        at = at < 0 ? ~at : at;
        return at < Made.Length ? Made[at] : NextPrime(count);
    }

    private static int NextPrime(int number)
    {
        const int HashPrime = 101;
        for (var i = number | 1; i < int.MaxValue; i += 2)
        {
            if ((i - 1) % HashPrime != 0 && IsPrime(i))
                return i;
        }

        return number;
    }

    private static bool IsPrime(int odd)
    {
        for (var divisor = 3; (long)divisor * divisor <= odd; divisor += 2)
        {
            if (odd % divisor == 0)
                return false;
        }

        return true;
    }
}
