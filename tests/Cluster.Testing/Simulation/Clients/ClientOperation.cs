namespace Cluster.Testing.Simulation.Clients;

/// <summary>What a client knows about the effect of an operation.</summary>
public enum ClientOutcome
{
    /// <summary>The operation has not ended.</summary>
    Running,

    /// <summary>It was answered.</summary>
    Done,

    /// <summary>It was not answered in time: it may have taken effect, may take effect later, or never.</summary>
    Unknown,
}

/// <summary>One operation of a client from its call to its return, in true time: the neutral form of a history. Only
/// its client changes it, and only once, when the operation ends.</summary>
/// <param name="client">The number of the client.</param>
/// <param name="request">The first attempt.</param>
/// <param name="invoked">When the client called.</param>
public sealed class ClientOperation(int client, ClientRequest request, TimeSpan invoked)
{
    /// <summary>The number of the client.</summary>
    public int Client { get; } = client;

    /// <summary>The first attempt.</summary>
    public ClientRequest Request { get; } = request;

    /// <summary>When the client called, in true time.</summary>
    public TimeSpan Invoked { get; } = invoked;

    /// <summary>Whether this is a read after the quiet time, which a recovered cluster must answer.</summary>
    public bool IsFinal { get; init; }

    /// <summary>When the operation ended, in true time. Has no meaning while it runs.</summary>
    public TimeSpan Returned { get; private set; }

    /// <summary>What the client knows about the effect.</summary>
    public ClientOutcome Outcome { get; private set; }

    /// <summary>The answer; null without one.</summary>
    public ClientReply? Reply { get; private set; }

    /// <summary>How often the request was sent.</summary>
    public int AttemptCount { get; internal set; }

    /// <summary>How often a node named another owner.</summary>
    public int RedirectCount { get; internal set; }

    /// <inheritdoc />
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"client{Client} [{Invoked.TotalSeconds:F6}..{Returned.TotalSeconds:F6}] {Request}: {Outcome} {Reply}");

    /// <summary>Ends the operation.</summary>
    /// <param name="returned">The true time.</param>
    /// <param name="reply">The answer; null if the outcome is unknown.</param>
    public void End(TimeSpan returned, ClientReply? reply)
    {
        Returned = returned;
        Reply = reply;
        Outcome = reply is null ? ClientOutcome.Unknown : ClientOutcome.Done;
    }
}
