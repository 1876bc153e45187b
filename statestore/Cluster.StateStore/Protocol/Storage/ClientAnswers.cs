namespace Cluster.StateStore.Protocol.Storage;

/// <summary>The remembered answers of one client in one partition. Used under the shard's lock.</summary>
internal sealed class ClientAnswers
{
    /// <summary>The most answers that are kept. A client that repeats an older request learns that its answer is
    /// forgotten.</summary>
    public const int CountMax = 4_096;

    private readonly SortedDictionary<long, ReadOnlyMemory<byte>> _answers = [];

    public long LowWater { get; private set; }

    public long Time { get; private set; }

    public RequestVerdict Find(long sequence, out ReadOnlyMemory<byte> answer)
    {
        if (_answers.TryGetValue(sequence, out answer))
            return RequestVerdict.Answered;
        return sequence < LowWater ? RequestVerdict.Forgotten : RequestVerdict.New;
    }

    public void Add(long sequence, ReadOnlyMemory<byte> answer) => _answers[sequence] = answer;

    public void Touch(long lowWater, long time)
    {
        Time = Math.Max(Time, time);
        LowWater = Math.Max(LowWater, lowWater);
        while (_answers.Count > 0 && FirstKey() is var first && (first < LowWater || _answers.Count > CountMax))
        {
            LowWater = Math.Max(LowWater, first + 1);
            _answers.Remove(first);
        }
    }

    public RequestImage ToImage(Guid client) =>
        new(client, LowWater, Time, [.. _answers.Select(pair => (pair.Key, pair.Value))]);

    // The first one of a sorted dictionary; its enumerator is a struct.
    private long FirstKey()
    {
        foreach (var pair in _answers)
            return pair.Key;
        return long.MaxValue;
    }
}
