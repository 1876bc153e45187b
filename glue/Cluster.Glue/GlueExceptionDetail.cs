namespace Cluster.Glue;

/// <summary>How much a caller learns of an exception thrown by a service.</summary>
public enum GlueExceptionDetail
{
    /// <summary>Type, message, fields of the type, causes, <see cref="Exception.Data"/> and stacks.</summary>
    Full,

    /// <summary>
    /// Type, message, fields of the type and causes. Stacks and <see cref="Exception.Data"/> stay here. The default.
    /// </summary>
    WithoutStack,
}
