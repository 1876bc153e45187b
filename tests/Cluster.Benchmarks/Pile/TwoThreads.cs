namespace Cluster.Benchmarks.Pile;

/// <summary>What a second thread adds to work. Stateless.</summary>
internal static class TwoThreads
{
    /// <summary>
    /// Twice the time of one thread over that of two which do the same side by side: 2 when they do not disturb each
    /// other. Starting the second thread is not timed; the work gets the number of its thread, from 1.
    /// </summary>
    public static double Gain(Action<byte> work)
    {
        var seconds = Rounds.MedianSeconds(() => () => work(1), () => BesideSecond(work));
        return 2 * seconds[0] / seconds[1];
    }

    private static Action BesideSecond(Action<byte> work)
    {
        var isReady = false;
        var isBegun = false;
        var second = new Thread(() =>
        {
            Volatile.Write(ref isReady, true);
            SpinUntil(ref isBegun);
            work(2);
        });
        second.Start();
        SpinUntil(ref isReady);
        return () =>
        {
            Volatile.Write(ref isBegun, true);
            work(1);
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
