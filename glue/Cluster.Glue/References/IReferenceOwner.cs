namespace Cluster.Glue.References;

/// <summary>The link whose references a table counts, as the table sees it.</summary>
internal interface IReferenceOwner
{
    /// <summary>Lets objects of this side be called by a contract from now on.</summary>
    /// <exception cref="NotSupportedException">A member cannot be called remotely; it is named.</exception>
    void Serve(Type contract);

    /// <summary>Makes the proxy of an object of the peer.</summary>
    object CreateProxy(CallbackReference reference);

    /// <summary>The last stream that was being read has ended.</summary>
    void StreamsEnded();
}
