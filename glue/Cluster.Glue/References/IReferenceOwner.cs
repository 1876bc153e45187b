namespace Cluster.Glue.References;

/// <summary>The link that owns a table of references, as the table sees it.</summary>
internal interface IReferenceOwner
{
    /// <summary>Allows calls of this side's objects by a contract from now on.</summary>
    /// <exception cref="NotSupportedException">A member cannot be called remotely; the message names it.</exception>
    void Serve(Type contract);

    /// <summary>Creates the proxy of an object of the peer.</summary>
    object CreateProxy(CallbackReference reference);

    /// <summary>Called when the last stream that was being read has ended.</summary>
    void StreamsEnded();
}
