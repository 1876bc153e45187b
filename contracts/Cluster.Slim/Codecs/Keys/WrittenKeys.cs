using Cluster.Slim.Errors;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;
using Cluster.Slim.Types;

namespace Cluster.Slim.Codecs.Keys;

/// <summary>Checks the keys of a collection while it is written, in the same way as its reader will: what is written
/// can be read. Stateless.</summary>
internal static class WrittenKeys
{
    /// <summary>Counts the keys that the reader will hash and compare when it fills the collection. Refuses keys whose
    /// own code would not end.</summary>
    /// <param name="writer">Writes the collection.</param>
    /// <param name="collection">The collection.</param>
    /// <param name="comparer">Its comparer.</param>
    /// <param name="state">The argument of <paramref name="charge"/>.</param>
    /// <param name="charge">Counts as the reader does.</param>
    /// <typeparam name="TKey">The key type.</typeparam>
    /// <typeparam name="TState">The type of the state.</typeparam>
    public static void Check<TKey, TState>(
        SlimWriter writer, object collection, object? comparer, TState state, Action<KeyLedger, TState> charge)
    {
        var isOwn = comparer is not null && !TypeRules.IsFramework(comparer.GetType());
        if (isOwn)
            writer.Doubts.NoteComparer(comparer!, KeyRules<TKey>.AreSimple);
        if (isOwn || !KeyRules<TKey>.AreSimple)
            writer.Doubts.HasWaiting = true;
        if (!KeyRules<TKey>.AreSimple || !writer.Keys.IsUnlimited)
            Run(writer, collection, state, charge);
    }

    /// <summary>Counts the keys that a reader will hash and compare. Errors of user code that does so become exceptions
    /// of Slim.</summary>
    /// <param name="writer">Writes the collection.</param>
    /// <param name="collection">The collection.</param>
    /// <param name="state">The argument of <paramref name="charge"/>.</param>
    /// <param name="charge">Counts as the reader does.</param>
    /// <typeparam name="TState">The type of the state.</typeparam>
    public static void Run<TState>(
        SlimWriter writer, object collection, TState state, Action<KeyLedger, TState> charge)
    {
        try
        {
            charge(writer.Keys, state);
        }
        catch (Exception e) when (e is not SlimException and not OutOfMemoryException)
        {
            throw Throw.CodeFailed(collection, "hashing or comparing one of its keys failed.", e);
        }
    }
}
