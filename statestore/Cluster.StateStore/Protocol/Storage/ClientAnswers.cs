namespace Cluster.StateStore.Protocol.Storage;

/// <summary>The remembered answers of one client in one partition. Used under the shard's lock.</summary>
internal sealed class ClientAnswers
{
    /// <summary>The most answers that are kept. Of older requests, the table remembers only that they were carried
    /// out.</summary>
    public const int AnswersMax = 4_096;

    /// <summary>The most requests that are remembered. One of the client's own requests can stay open for long while
    /// others go on; only beyond this number, it counts as forgotten.</summary>
    public const int RequestsMax = 1 << 18;

    // A request whose answer is not kept has an empty one.
    private readonly SortedDictionary<long, ReadOnlyMemory<byte>> _answers = [];
    private readonly Queue<long> _kept = [];

    public long LowWater { get; private set; }

    public long Time { get; private set; }

    public RequestVerdict Find(long sequence, out ReadOnlyMemory<byte> answer)
    {
        if (_answers.TryGetValue(sequence, out answer))
            return answer.IsEmpty ? RequestVerdict.Forgotten : RequestVerdict.Answered;
        return sequence < LowWater ? RequestVerdict.Forgotten : RequestVerdict.New;
    }

    public void Add(long sequence, ReadOnlyMemory<byte> answer)
    {
        _answers[sequence] = answer;
        if (!answer.IsEmpty)
            _kept.Enqueue(sequence);
    }

    public void Touch(long lowWater, long time)
    {
        Time = Math.Max(Time, time);
        LowWater = Math.Max(LowWater, lowWater);
        while (_answers.Count > 0 && FirstKey() is var first && (first < LowWater || _answers.Count > RequestsMax))
        {
            LowWater = Math.Max(LowWater, first + 1);
            _answers.Remove(first);
        }

        while (_kept.TryPeek(out var oldest) && (oldest < LowWater || _kept.Count > AnswersMax))
        {
            _kept.Dequeue();
            if (oldest >= LowWater)
                _answers[oldest] = default;
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
