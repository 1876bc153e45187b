namespace Cluster.Slim.Messages;

/// <summary>The arrays of tables that grow with a message. Short ones belong to their table; long ones are rented for
/// one message, because new ones of that size cost full collections and a fault for every page: writing a million
/// objects allocated 39 MB and now nothing, reading them 49 MB and now the 32 of the objects. Stateless.</summary>
/// <typeparam name="T">What the table holds.</typeparam>
internal static class TableArrays<T>
{
    /// <summary>A table may keep an array of at most this length between messages.</summary>
    public const int OwnLengthMax = 4096;

    /// <summary>An array of at least the length with what the given one holds, which is given back.</summary>
    public static T[] Grown(T[] array, int usedCount, int length)
    {
        var grown = New(length);
        Array.Copy(array, grown, usedCount);
        GiveBack(array, usedCount);
        return grown;
    }

    /// <summary>An array of at least the length. It is empty if all users of the type empty what they give
    /// back.</summary>
    public static T[] New(int length) =>
        length > OwnLengthMax ? ArrayPool<T>.Shared.Rent(length) : new T[length];

    /// <summary>Ends the use of an array, after emptying what was used.</summary>
    public static void GiveBack(T[] array, int usedCount)
    {
        if (array.Length <= OwnLengthMax)
            return;
        Array.Clear(array, 0, usedCount);
        ArrayPool<T>.Shared.Return(array);
    }
}
