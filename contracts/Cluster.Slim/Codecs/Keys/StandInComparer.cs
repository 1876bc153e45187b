using Cluster.Slim.Errors;

namespace Cluster.Slim.Codecs.Keys;

/// <summary>Takes the place of a collection's comparer until that object of the graph is read. It compares nothing:
/// only user code that runs while the comparer is read can call it, and gets an error.</summary>
internal abstract class StandInComparer : IComparer, IEqualityComparer
{
    public int Compare(object? x, object? y) => throw Unread();

    bool IEqualityComparer.Equals(object? x, object? y) => throw Unread();

    int IEqualityComparer.GetHashCode(object obj) => throw Unread();

    private protected static SlimException Unread() => Throw.NotSupported(
        typeof(StandInComparer),
        "a collection was used before its comparer had been read, by code that reads the comparer.");
}

/// <summary>The stand-in for one key type; that for <see cref="object"/> also serves collections without a key
/// type.</summary>
/// <typeparam name="T">The key type.</typeparam>
internal sealed class StandInComparer<T> : StandInComparer, IComparer<T>, IEqualityComparer<T>
{
    public static readonly StandInComparer<T> Instance = new();

    public int Compare(T? x, T? y) => throw Unread();

    public bool Equals(T? x, T? y) => throw Unread();

    public int GetHashCode(T obj) => throw Unread();
}
