namespace Cluster.Glue.References;

/// <summary>The objects of this process that peers may call, with the tables that export them. The dictionary protects
/// itself; one lock protects the lists in it.</summary>
internal static class ExportedObjects
{
    private static readonly Lock Gate = new();
    private static readonly ConditionalWeakTable<object, List<WeakReference<ReferenceTable>>> Tables = new();

    /// <summary>Notes that a table lets its peer call an object.</summary>
    public static void Note(object value, ReferenceTable table)
    {
        var tables = Tables.GetOrCreateValue(value);
        lock (Gate)
        {
            tables.RemoveAll(one => !one.TryGetTarget(out var other) || other == table);
            tables.Add(new WeakReference<ReferenceTable>(table));
        }
    }

    /// <summary>Makes calls of all peers to an object fail from now on.</summary>
    public static void Revoke(object value)
    {
        if (!Tables.TryGetValue(value, out var tables))
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
}
