namespace Cluster.Contracts;

/// <summary>The one cause of a failed call. Values travel between processes and are never renumbered.</summary>
public enum GlueErrorCode
{
    /// <summary>A cause that this version does not know; a newer peer named it.</summary>
    Unknown = 0,

    /// <summary>The endpoint selector knows nobody who offers the contract.</summary>
    NoEndpoint = 1,

    /// <summary>The connection could not be opened: refused, timed out, or no Glue at that address.</summary>
    ConnectFailed = 2,

    /// <summary>The peer refused the handshake, for instance for the protocol version, and said why.</summary>
    HandshakeRefused = 3,

    /// <summary>The server is stopping and takes no new calls.</summary>
    Draining = 4,

    /// <summary>The client was disposed.</summary>
    ClientDisposed = 5,

    /// <summary>Too many calls to the endpoint have failed: for a while it is not called.</summary>
    CircuitOpen = 6,

    /// <summary>The two sides of a link do not trust each other: their <c>PeerIdentity</c> options have different
    /// secrets or name different realms, such as two clusters, or one side has shown no certificate that the other side
    /// trusts.</summary>
    PeerNotAuthenticated = 7,

    /// <summary>The link ended while the call was under way.</summary>
    LinkLost = 10,

    /// <summary>The peer stayed silent longer than the heartbeat allows.</summary>
    HeartbeatLost = 11,

    /// <summary>The peer sent bytes that do not follow the protocol.</summary>
    ProtocolViolation = 12,

    /// <summary>A server or a proxy answered a unary call with a gRPC or HTTP status instead of an answer;
    /// <see cref="GlueException.GrpcStatus"/> has its number.</summary>
    ServerStatus = 13,

    /// <summary>The server does not offer the contract.</summary>
    UnknownContract = 20,

    /// <summary>The server offers the contract without this method.</summary>
    UnknownMethod = 21,

    /// <summary>The method exists on the server with other parameter or result types.</summary>
    SignatureMismatch = 22,

    /// <summary>A parameter or result type has another field layout on the server.</summary>
    LayoutMismatch = 23,

    /// <summary>A type argument of a generic method is not on the server's closed list, or violates a
    /// constraint.</summary>
    TypeArgumentRefused = 24,

    /// <summary>The server's process already serves as many closed forms of generic methods as it may.</summary>
    GenericFormsLimit = 25,

    /// <summary>The server offers the contract to authenticated peers only, and the caller is none.</summary>
    PeersOnly = 26,

    /// <summary>The method is for callers whom the server knows, and the caller has shown no token and no certificate
    /// that the server accepts, or its token has expired.</summary>
    NotAuthenticated = 27,

    /// <summary>The server knows the caller, and its authorization policies do not let it call the method.</summary>
    NotAuthorized = 28,

    /// <summary>The serialized arguments exceed the message limit.</summary>
    ArgumentsTooLarge = 30,

    /// <summary>The serialized result exceeds the frame limit.</summary>
    ResultTooLarge = 31,

    /// <summary>An argument cannot be serialized.</summary>
    ArgumentsNotWritable = 32,

    /// <summary>The server cannot rebuild an argument.</summary>
    ArgumentsNotReadable = 33,

    /// <summary>The result cannot be serialized.</summary>
    ResultNotWritable = 34,

    /// <summary>The caller cannot rebuild the result.</summary>
    ResultNotReadable = 35,

    /// <summary>The headers of a call or of its reply exceed their limit.</summary>
    HeadersTooLarge = 36,

    /// <summary>The deadline passed before the call was sent.</summary>
    DeadlineBeforeSend = 40,

    /// <summary>The deadline passed while the caller waited for the reply.</summary>
    DeadlineAwaitingReply = 41,

    /// <summary>The deadline passed on the server, before or in the method.</summary>
    DeadlineOnServer = 42,

    /// <summary>As many calls as the peer allows were under way until the deadline.</summary>
    CallsInFlightLimit = 50,

    /// <summary>The send queue was full until the deadline.</summary>
    SendQueueFull = 51,

    /// <summary>The server refused the call because it has too many under way.</summary>
    ServerOverloaded = 52,

    /// <summary>Too many pool threads of this process already wait in synchronous calls.</summary>
    BlockingCallsLimit = 53,

    /// <summary>As many calls of one proxy as its bulkhead allows were under way.</summary>
    BulkheadFull = 54,

    /// <summary>The service could not be created by its container.</summary>
    ServiceNotCreated = 60,

    /// <summary>The instance has ended, was idle for too long, or never was in this process.</summary>
    NoSuchInstance = 61,

    /// <summary>Earlier calls to the instance did not end in time.</summary>
    InstanceLockTimeout = 62,

    /// <summary>The server has as many instances of the service as it may.</summary>
    InstancesLimit = 63,

    /// <summary>The other end of a stream has gone before the stream had ended.</summary>
    StreamGone = 70,

    /// <summary>An item of a stream exceeds the size that the other side accepts.</summary>
    StreamItemTooLarge = 71,

    /// <summary>An item of a stream cannot be serialized.</summary>
    StreamItemNotWritable = 72,

    /// <summary>An item of a stream cannot be rebuilt by its reader.</summary>
    StreamItemNotReadable = 73,

    /// <summary>The object behind a callback was released, or the link to its owner has ended.</summary>
    ReferenceReleased = 74,

    /// <summary>As many objects and streams as allowed are referred to over one link.</summary>
    ReferenceLimit = 75,
}
