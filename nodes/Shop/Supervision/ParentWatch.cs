using System.Diagnostics;

namespace Shop.Supervision;

/// <summary>
/// Ends this process when its parent is gone. The parent holds the other end of standard input; the operating system
/// closes it however the parent dies. A dedicated thread waits for that, so that a busy thread pool cannot delay it.
/// </summary>
internal sealed class ParentWatch
{
    /// <summary>How long this process may take to end in order; then it ends at once.</summary>
    public static readonly TimeSpan OrderlyEndMax = TimeSpan.FromSeconds(2);

    private readonly Stream _pipe;
    private readonly Action _endInOrder;
    private readonly TaskCompletionSource _ended = new();

    private ParentWatch(Stream pipe, Action endInOrder)
    {
        _pipe = pipe;
        _endInOrder = endInOrder;
    }

    /// <summary>Begins to watch.</summary>
    /// <param name="pipe">Ends when the parent does.</param>
    /// <param name="endInOrder">Asks the process to end; returns at once.</param>
    public static ParentWatch Start(Stream pipe, Action endInOrder)
    {
        var watch = new ParentWatch(pipe, endInOrder);
        new Thread(watch.Run) { IsBackground = true, Name = "parent watch" }.Start();
        return watch;
    }

    /// <summary>Tells that the process has done what it wanted to do before its end.</summary>
    public void Complete() => _ended.TrySetResult();

    private void Run()
    {
        var buffer = new byte[64];
        try
        {
            while (_pipe.Read(buffer) > 0)
            {
                // What the parent writes means nothing; only the end counts.
            }
        }
        catch (IOException)
        {
            // A broken pipe is an ended one.
        }

        _endInOrder();
        if (!EndsInTime())
            Process.GetCurrentProcess().Kill();
    }

    // This thread has nothing else to do than to wait.
    private bool EndsInTime() => ((IAsyncResult)_ended.Task).AsyncWaitHandle.WaitOne(OrderlyEndMax);
}
