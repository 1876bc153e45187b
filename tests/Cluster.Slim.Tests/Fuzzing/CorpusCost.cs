namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>What the messages of the fuzz corpus cost to read, for the benchmarks. Stateless.</summary>
public static class CorpusCost
{
    // What any message costs, also a refusal, is divided by at least this number of bytes: it is not a price of bytes.
    private const int BytesMin = 256;

    private const int Rounds = 5;

    /// <summary>The most nanoseconds for a byte, of the fastest of a few reads of each message: a busy machine makes
    /// nothing worse.</summary>
    /// <param name="name">The message that costs them.</param>
    public static double FindWorst(out string name)
    {
        double worst = 0;
        name = "";
        foreach (var one in new FuzzCorpus(compiles: false).Cases)
        {
            var read = one.NewReader();
            var best = double.MaxValue;
            for (var round = 0; round < Rounds; round++)
                best = Math.Min(best, Timed(read, one.Message).TotalNanoseconds);
            var perByte = best / Math.Max(BytesMin, one.Message.Length);
            if (perByte > worst)
                (worst, name) = (perByte, one.Name);
        }

        return worst;
    }

    private static TimeSpan Timed(Action<byte[]> read, byte[] message)
    {
        var started = Stopwatch.GetTimestamp();
        try
        {
            read(message);
        }
        catch (SlimException)
        {
            // What it took until then counts all the same.
        }

        return Stopwatch.GetElapsedTime(started);
    }
}
