using Cluster.Pile.Objects;

namespace Cluster.Pile.Records;

/// <summary>Deletes the objects that records of one table owned, and then ends these records: in this order, so that
/// whoever goes on after the death of the process finds one or the other. Owned by the table; those that have to wait
/// for a view are guarded by the lock. Not to be called inside an operation.</summary>
internal sealed class RecordOrphans(RecordRealm realm, RecordWriter writer, ObjectStore objects)
{
    private readonly RecordRealm _realm = realm;
    private readonly RecordWriter _writer = writer;
    private readonly ObjectStore _objects = objects;
    private readonly Lock _gate = new();
    private readonly List<RecordOrphan> _waiting = [];

    /// <summary>Deletes one object; a view on it is no failure, then one of the next sweeps deletes it.</summary>
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

        var cache = _realm.Registry.Enter();
        try
        {
            _writer.Settle(cache, orphan);
        }
        finally
        {
            cache.Exit();
        }
    }

    /// <summary>Has the next sweep delete an object.</summary>
    public void DeleteLater(in RecordOrphan orphan)
    {
        if (orphan.IsNone)
            return;
        lock (_gate)
            _waiting.Add(orphan);
    }

    /// <summary>Forgets what waits, after a purge has deleted it.</summary>
    public void Clear()
    {
        lock (_gate)
            _waiting.Clear();
    }

    /// <summary>Deletes what waits, as far as no view lies on it.</summary>
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
