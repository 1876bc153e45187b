using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Storage;

/// <summary>The committed requests of one partition with their answers, so that a repeated request takes effect once
/// (RIFL: Lee et al., SOSP 2015). Used under the shard's lock.</summary>
internal sealed class RequestTable
{
    private readonly Dictionary<Guid, ClientAnswers> _clients = [];

    /// <summary>How many clients have answers here.</summary>
    public int ClientCount => _clients.Count;

    /// <summary>Returns what is known about a request.</summary>
    public RequestVerdict Find(in RequestId request, out ReadOnlyMemory<byte> answer)
    {
        answer = default;
        return _clients.TryGetValue(request.Client, out var client)
            ? client.Find(request.Sequence, out answer)
            : RequestVerdict.New;
    }

    /// <summary>Remembers the answer of a committed request, and forgets what the client will not repeat. A copy may
    /// have brought the answer before.</summary>
    public void Remember(in RequestId request, ReadOnlySpan<byte> answer, long time)
    {
        var client = ClientOf(request.Client);
        if (client.Find(request.Sequence, out _) == RequestVerdict.New)
            client.Add(request.Sequence, answer.ToArray());
        client.Touch(request.LowWater, time);
    }

    /// <summary>Adds what a copy carries.</summary>
    public void Load(RequestImage image)
    {
        var client = ClientOf(image.Client);
        foreach (var (sequence, answer) in image.Answers)
        {
            if (client.Find(sequence, out _) == RequestVerdict.New)
                client.Add(sequence, answer.ToArray());
        }

        client.Touch(image.LowWater, image.Time);
    }

    /// <summary>Returns everything, for a copy. The answers are never changed.</summary>
    public ImmutableArray<RequestImage> ToImages() => [.. _clients.Select(pair => pair.Value.ToImage(pair.Key))];

    /// <summary>Forgets clients that have not written for long.</summary>
    /// <param name="before">The partition time of the last write that is kept.</param>
    public void ForgetIdle(long before)
    {
        foreach (var (client, answers) in _clients)
        {
            if (answers.Time < before)
                _clients.Remove(client);
        }
    }

    /// <summary>Forgets everything.</summary>
    public void Clear() => _clients.Clear();

    private ClientAnswers ClientOf(Guid client)
    {
        if (!_clients.TryGetValue(client, out var answers))
            _clients[client] = answers = new ClientAnswers();
        return answers;
    }
}
