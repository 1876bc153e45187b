namespace Cluster.Pile.Caching;

/// <summary>The exceptions of the cache, kept out of the hot methods so that those stay small. Stateless.</summary>
internal static class CacheErrors
{
    [DoesNotReturn]
    public static void KeyTooLong(Type key, int bytesMax) =>
        throw new ArgumentException(
            $"A key of type {key} has more than {bytesMax:N0} bytes, the most a key may have.");

    [DoesNotReturn]
    public static void PriorityOutOfRange(int priority, int priorityMax) =>
        throw new ArgumentOutOfRangeException(
            nameof(priority), priority, $"The priority of an entry goes from 0 to {priorityMax}.");

    [DoesNotReturn]
    public static void BytesMaxOutOfRange(long? bytesMax, long bytesMaxMin) =>
        throw new ArgumentOutOfRangeException(
            nameof(bytesMax),
            bytesMax,
            $"A table may take {bytesMaxMin:N0} bytes or more; null means what the pile has.");

    [DoesNotReturn]
    public static void MaxAgeOutOfRange(TimeSpan? maxAge) =>
        throw new ArgumentOutOfRangeException(
            nameof(maxAge),
            maxAge,
            $"The maximal age of an entry goes from {CacheTableOptions.MinMaxAge} to {CacheTableOptions.MaxMaxAge}; "
                + $"{nameof(Timeout)}.{nameof(Timeout.InfiniteTimeSpan)} means no end.");

    [DoesNotReturn]
    public static void ExpirationTooFar(DateTimeOffset absoluteExpiration, TimeSpan ahead) =>
        throw new ArgumentOutOfRangeException(
            nameof(absoluteExpiration),
            absoluteExpiration,
            $"An absolute expiration lies at most {ahead} ahead; null means no end.");

    [DoesNotReturn]
    public static void AgeIsNotTracked() =>
        throw new InvalidOperationException(
            $"A read asks for the age of entries, which this table does not keep; set "
            + $"{nameof(CacheTableOptions)}.{nameof(CacheTableOptions.TracksAge)} when it is made.");

    [DoesNotReturn]
    public static void NotATableOfBytes(string name, Type value) =>
        throw new InvalidOperationException(
            $"Bytes were put into the table '{name}', whose values are {value}; only tables of byte[] take them.");

    [DoesNotReturn]
    public static void OtherTable(string name, string what, object found, object asked) =>
        throw new InvalidOperationException(
            $"There is a table '{name}' with other {what}: it has {found}, asked for was {asked}. Ask for it as it was "
            + "made, or give the new one another name.");

    [DoesNotReturn]
    public static void LoadWaitsForItself() =>
        throw new InvalidOperationException(
            "The factory of a cache entry waits for its own key, directly or by way of other keys that are being "
            + "loaded; that would never end. Inside a factory ask for other keys only, in an order without circles.");

    [DoesNotReturn]
    public static void FactoryGaveNull() =>
        throw new InvalidOperationException(
            "The factory of a cache entry gave null, which a cache does not hold; give a value that stands for none.");
}
