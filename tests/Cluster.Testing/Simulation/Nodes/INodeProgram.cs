using Cluster.Contracts;
using Cluster.Testing.Simulation.Clients;
using Cluster.Testing.Simulation.Network;
using Cluster.Testing.Simulation.Stores;

namespace Cluster.Testing.Simulation.Nodes;

/// <summary>The program that runs on a simulated node: one life of it. The run calls it from one thread and never from
/// inside one of its own calls. A crash drops the object, and with it all that it holds.</summary>
public interface INodeProgram
{
    /// <summary>The value of the node's monotonic clock at which <see cref="Tick"/> is to be called;
    /// <see cref="long.MaxValue"/>: never. Read after each call.</summary>
    long NextDeadline { get; }

    /// <summary>The first call.</summary>
    void Start();

    /// <summary>The deadline has come. The program moves it on.</summary>
    void Tick();

    /// <summary>A message of another node has arrived.</summary>
    /// <param name="message">The message.</param>
    void Receive(in SimulatedMessage message);

    /// <summary>A client's request has arrived. The program answers it with <see cref="SimulatedHost.Reply"/>, at once
    /// or later.</summary>
    /// <param name="client">The client's end point.</param>
    /// <param name="request">The request.</param>
    void Requested(int client, ClientRequest request);

    /// <summary>A read of the table has ended.</summary>
    /// <param name="reading">What was read.</param>
    void TableRead(TableReading reading);

    /// <summary>The store tells that the table has changed. Notifications may be lost or late.</summary>
    /// <param name="version">The version that the store had when it sent the notification.</param>
    void TableChanged(long version);

    /// <summary>A compare-and-swap of the table has ended.</summary>
    /// <param name="nonce">The nonce of the proposed table.</param>
    /// <param name="outcome">How it ended.</param>
    void SwapEnded(Guid nonce, StoreSwapOutcome outcome);

    /// <summary>The store has answered who the coordinator is.</summary>
    /// <param name="answer">The answer.</param>
    void CoordinatorAnswered(CoordinatorAnswer answer);

    /// <summary>It is certain that a life has ended. Happens only in runs in which all nodes share a kernel.</summary>
    /// <param name="node">The life that is over.</param>
    void DeathProven(NodeId node);

    /// <summary>The operator asks the node to hand over what it has and to leave. The program calls
    /// <see cref="SimulatedHost.Exit"/> when it is done.</summary>
    void DrainAsked();
}
