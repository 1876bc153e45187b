using Cluster.Slim.Errors;

namespace Cluster.Slim.Codecs.Keys;

/// <summary>The comparer of a collection whose own comparer is an object of the graph that has not been read yet. It
/// compares nothing; only the code of a user that is part of reading the comparer can come here.</summary>
internal abstract class StandInComparer : IComparer, IEqualityComparer
{
    public int Compare(object? x, object? y) => throw Unread();

    bool IEqualityComparer.Equals(object? x, object? y) => throw Unread();

    int IEqualityComparer.GetHashCode(object obj) => throw Unread();

    private protected static SlimException Unread() => Throw.NotSupported(
        typeof(StandInComparer),
        "a collection was used before its comparer had been read, by code that reads the comparer.");
}

/// <summary>The one of a key type; that of objects serves the collections without a key type.</summary>
/// <typeparam name="T">The key type.</typeparam>
internal sealed class StandInComparer<T> : StandInComparer, IComparer<T>, IEqualityComparer<T>
{
    public static readonly StandInComparer<T> Instance = new();

    public int Compare(T? x, T? y) => throw Unread();

    public bool Equals(T? x, T? y) => throw Unread();

    public int GetHashCode(T obj) => throw Unread();
}
