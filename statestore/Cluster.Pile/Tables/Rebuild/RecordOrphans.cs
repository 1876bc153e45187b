using Cluster.Pile.Objects;
using Cluster.Pile.Tables.Log;

namespace Cluster.Pile.Tables.Rebuild;

/// <summary>Deletes the objects that removed records of one table owned, and then frees the places of these records. In
/// this order, a process that continues after the death of this one finds the object deleted or the record still there.
/// Owned by the table; the lock guards the orphans that wait for a view. Not to be called inside an
/// operation.</summary>
internal sealed class RecordOrphans(RecordContext context, RecordWriter writer, ObjectStore objects)
{
    private readonly RecordContext _context = context;
    private readonly RecordWriter _writer = writer;
    private readonly ObjectStore _objects = objects;
    private readonly Lock _gate = new();
    private readonly List<RecordOrphan> _waiting = [];

    /// <summary>Deletes one object. When a view is open on it, one of the next sweeps deletes it.</summary>
    public void Delete(in RecordOrphan orphan)
    {
        if (orphan.IsNone)
            return;
        try
        {
            _objects.Delete(orphan.Object);
        }
        catch (PileBusyException)
        {
            DeleteLater(orphan);
            return;
        }

        using var operation = _context.Registry.Begin();
        _writer.Settle(operation.Cache, orphan);
    }

    /// <summary>Adds an object that the next sweep deletes.</summary>
    public void DeleteLater(in RecordOrphan orphan)
    {
        if (orphan.IsNone)
            return;
        lock (_gate)
            _waiting.Add(orphan);
    }

    /// <summary>Removes all waiting orphans, after a purge has deleted their objects.</summary>
    public void Clear()
    {
        lock (_gate)
            _waiting.Clear();
    }

    /// <summary>Deletes the waiting objects that have no view.</summary>
    public void DeleteWaiting()
    {
        RecordOrphan[] waiting;
        lock (_gate)
        {
            waiting = [.. _waiting];
            _waiting.Clear();
        }

        foreach (var orphan in waiting)
            Delete(orphan);
    }
}
