namespace Cluster.Pile.Tests.Views;

/// <summary>A thread that opens views on one object and closes them when it is disposed; they are open once this is
/// constructed.</summary>
internal sealed class ViewHolder : IDisposable
{
    private readonly ManualResetEventSlim _isOpen = new();
    private readonly ManualResetEventSlim _mayClose = new();
    private readonly Thread _thread;

    public ViewHolder(LocalPile pile, PilePointer pointer, int views)
    {
        _thread = new Thread(() => Hold(pile, pointer, views));
        _thread.Start();
        Assert.True(_isOpen.Wait(TimeSpan.FromMinutes(1)), "The views were not opened.");
    }

    public void Dispose()
    {
        _mayClose.Set();
        Assert.True(_thread.Join(TimeSpan.FromMinutes(1)), "The views were not closed.");
    }

    private void Hold(LocalPile pile, PilePointer pointer, int views)
    {
        using var view = pile.OpenView(pointer);
        if (views > 1)
        {
            Hold(pile, pointer, views - 1);
            return;
        }

        _isOpen.Set();
        _mayClose.Wait();
    }
}
