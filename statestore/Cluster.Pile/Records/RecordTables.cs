using Cluster.Pile.Objects;

namespace Cluster.Pile.Records;

/// <summary>
/// The tables of one pile by number. Owned by one pile; the list is guarded by its lock.
/// </summary>
internal sealed class RecordTables
{
    private readonly RecordRealm _realm;
    private readonly Relief _relief;
    private readonly ObjectStore _objects;
    private readonly Lock _gate = new();
    private readonly List<RecordStore> _stores = [];

    public RecordTables(RecordRealm realm, Relief relief, ObjectStore objects)
    {
        _realm = realm;
        _relief = relief;
        _objects = objects;
    }

    /// <summary>Forgets all records, after a purge has ended their memory; no operation is running.</summary>
    public void Clear()
    {
        lock (_gate)
            _stores.ForEach(store => store.Clear());
    }

    /// <summary>Makes an empty table.</summary>
    /// <exception cref="PileFullException">The budget does not hold it.</exception>
    public RecordStore Create()
    {
        lock (_gate)
        {
            if (!RecordIndex.TryCreate(_realm.Space, _realm.Arena, out var index))
                throw _relief.Full(RecordIndex.BytesMin);
            var store = new RecordStore(_realm, _relief, _objects, index, _stores.Count);
            _stores.Add(store);
            return store;
        }
    }
}
