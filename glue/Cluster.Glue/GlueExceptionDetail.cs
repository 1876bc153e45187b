namespace Cluster.Glue;

/// <summary>How much a caller learns of an exception thrown by a service.</summary>
public enum GlueExceptionDetail
{
    /// <summary>Type, message, data, causes and stacks. The default.</summary>
    Full,

    /// <summary>Type name, message and causes as a RemoteException; stacks and data stay here.</summary>
    WithoutStack,
}
