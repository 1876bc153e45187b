namespace Cluster.Benchmarks.Harness;

/// <summary>Work that two threads do side by side, for what the second one adds. Stateless.</summary>
public static class TwoThreads
{
    /// <summary>Starts a second thread, which waits, and gives the work to be timed: both threads do it, and it ends
    /// with the slower one. The work gets the number of its thread, 0 or 1.</summary>
    public static Action Prepare(Action<int> work)
    {
        var isReady = false;
        var isBegun = false;
        var second = new Thread(() =>
        {
            Volatile.Write(ref isReady, true);
            SpinUntil(ref isBegun);
            work(1);
        });
        second.Start();
        SpinUntil(ref isReady);
        return () =>
        {
            Volatile.Write(ref isBegun, true);
            work(0);
            second.Join();
        };
    }

    private static void SpinUntil(ref bool flag)
    {
        var spin = default(SpinWait);
        while (!Volatile.Read(ref flag))
            spin.SpinOnce(sleep1Threshold: -1);
    }
}
