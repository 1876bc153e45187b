namespace Cluster.Slim.Messages;

/// <summary>The arrays of tables that grow with a message. Short arrays belong to their table. Long arrays are rented
/// for one message, because new ones of that size cost full collections and a page fault for every page: writing a
/// million objects allocated 39 MB and now nothing, reading them 49 MB and now the 32 of the objects.
/// Stateless.</summary>
/// <typeparam name="T">The entries of the table.</typeparam>
internal static class TableArrays<T>
{
    /// <summary>The longest array that a table may keep between messages.</summary>
    public const int OwnLengthMax = 4096;

    /// <summary>Returns an array of at least the length with the content of the given one, which goes back to the
    /// pool.</summary>
    public static T[] Grown(T[] array, int usedCount, int length)
    {
        var grown = New(length);
        Array.Copy(array, grown, usedCount);
        GiveBack(array, usedCount);
        return grown;
    }

    /// <summary>Returns an array of at least the length. It is empty if all users of the type clear the arrays that
    /// they return.</summary>
    public static T[] New(int length) =>
        length > OwnLengthMax ? ArrayPool<T>.Shared.Rent(length) : new T[length];

    /// <summary>Ends the use of an array, and clears its used part.</summary>
    public static void GiveBack(T[] array, int usedCount)
    {
        if (array.Length <= OwnLengthMax)
            return;
        Array.Clear(array, 0, usedCount);
        ArrayPool<T>.Shared.Return(array);
    }
}
