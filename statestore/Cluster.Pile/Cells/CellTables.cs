using Cluster.Pile.Tables;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Cells;

/// <summary>The cell tables of one pile by name, and the objects that they share. Owned by one pile; a lock guards the
/// names.</summary>
internal sealed class CellTables(RecordTables records, PileOptions options)
{
    private readonly RecordTables _records = records;
    private readonly Action<CellAccessorOrigin> _report = options.CellAccessorAbandoned ?? WriteWarning;
    private readonly Lock _gate = new();
    private readonly Dictionary<string, CellTable> _tables = [];
    private bool _isClosed;

    /// <summary>The longest wait for a cell.</summary>
    public TimeSpan PinWait { get; } = options.PinWait;

    public TimeProvider Clock { get; } = options.TimeProvider;

    public bool IsClosed => Volatile.Read(ref _isClosed);

    /// <summary>The one table of a name.</summary>
    public CellTable GetOrCreate(string name)
    {
        lock (_gate)
        {
            if (_tables.TryGetValue(name, out var table))
                return table;
            table = new CellTable(name, this, _records.GetOrCreate(OptionsOf(name)));
            _tables.Add(name, table);
            return table;
        }
    }

    /// <summary>Reports the accessors of a cell lock that were never disposed. Not called under a lock.</summary>
    public void Report(CellLock cellLock)
    {
        foreach (var owner in cellLock.Owners)
            _report(new CellAccessorOrigin(cellLock.Table.Name, cellLock.Id, owner.File, owner.Line));
    }

    /// <summary>Called after the pile is disposed of: wakes all waiters, and reports the accessors that were never
    /// disposed.</summary>
    public void End()
    {
        CellTable[] tables;
        lock (_gate)
        {
            if (_isClosed)
                return;
            Volatile.Write(ref _isClosed, true);
            tables = [.. _tables.Values];
        }

        foreach (var table in tables)
        {
            foreach (var cellLock in table.End())
                Report(cellLock);
        }
    }

    private static RecordTableOptions OptionsOf(string name) =>
        new()
        {
            Kind = RecordTableKind.Cells,
            Name = name,
            KeyForm = CellTable.KeyForm,
            ValueForm = CellTable.ValueForm,
        };

    private static void WriteWarning(CellAccessorOrigin origin) =>
        Trace.TraceWarning($"An accessor of cell {origin.Id} in table {origin.Table} was never disposed; "
            + $"{origin.File}:{origin.Line} took it.");
}
