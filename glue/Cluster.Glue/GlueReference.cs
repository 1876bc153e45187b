using System.Runtime.CompilerServices;
using Cluster.Glue.References;

namespace Cluster.Glue;

/// <summary>
/// Gives up objects and streams that were passed by reference, earlier than by the end of the link or the garbage
/// collection of a proxy. Its table of objects of this process protects itself.
/// </summary>
public static class GlueReference
{
    private static readonly Lock Gate = new();
    private static readonly ConditionalWeakTable<object, List<WeakReference<ReferenceTable>>> Exports = new();

    /// <summary>
    /// Ends the reference. For a proxy or stream that came from a peer: it is given back to its owner; using it fails.
    /// For an object of this process that was passed to peers as a callback: their proxies fail from now on. Anything
    /// else, null among it, is left alone. Idempotent, does not wait; calls under way are not affected.
    /// </summary>
    /// <param name="value">A proxy, a stream, or an object that was passed as a callback.</param>
    public static void Release(object? value)
    {
        if (value is null || ImportedReference.Release(value) || !Exports.TryGetValue(value, out var tables))
            return;
        WeakReference<ReferenceTable>[] found;
        lock (Gate)
        {
            found = [.. tables];
            tables.Clear();
        }

        foreach (var one in found)
        {
            if (one.TryGetTarget(out var table))
                table.Revoke(value);
        }
    }

    /// <summary>An object of this process can be called by a peer.</summary>
    internal static void NoteExport(object value, ReferenceTable table)
    {
        var tables = Exports.GetOrCreateValue(value);
        lock (Gate)
        {
            tables.RemoveAll(one => !one.TryGetTarget(out var other) || other == table);
            tables.Add(new WeakReference<ReferenceTable>(table));
        }
    }
}
