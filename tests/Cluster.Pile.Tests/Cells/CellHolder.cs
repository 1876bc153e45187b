using Cluster.Pile.Cells;

namespace Cluster.Pile.Tests.Cells;

/// <summary>A thread that uses one cell and adds a byte to it when it is let go; the cell is in use once this is
/// constructed.</summary>
internal sealed class CellHolder : IDisposable
{
    private readonly ManualResetEventSlim _isUsed = new();
    private readonly ManualResetEventSlim _mayEnd = new();
    private readonly Thread _thread;

    public CellHolder(CellTable table, long id, bool isDisposed = true)
    {
        _thread = new Thread(() => Hold(table, id, isDisposed));
        _thread.Start();
        Assert.True(_isUsed.Wait(TimeSpan.FromMinutes(1)), "The cell was not used.");
    }

    public void Dispose()
    {
        _mayEnd.Set();
        Assert.True(_thread.Join(TimeSpan.FromMinutes(1)), "The cell was not given free.");
    }

    private void Hold(CellTable table, long id, bool isDisposed)
    {
        var cell = table.Use(id);
        cell.Resize(cell.Length + 1);
        _isUsed.Set();
        _mayEnd.Wait();
        if (isDisposed)
            cell.Dispose();
    }
}
