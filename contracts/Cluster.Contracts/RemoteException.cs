using Cluster.Contracts.Help;

namespace Cluster.Contracts;

/// <summary>The called method threw an exception whose type is not on the contract's closed list, so it cannot be
/// rebuilt as itself. Carries what the server told: type name, message, stack, <see cref="Exception.Data"/> as text
/// and, as inner exceptions of this same type, its causes.</summary>
public sealed class RemoteException : Exception
{
    // As much of a message as a server of Glue sends.
    private const int MessageLengthMax = 32 * 1024;

    /// <summary>Creates the exception.</summary>
    /// <param name="typeName">Full name of the exception type on the server.</param>
    /// <param name="message">Its message.</param>
    /// <param name="remoteStackTrace">Its stack on the server; null when the server keeps stacks to itself.</param>
    /// <param name="innerException">Its cause.</param>
    public RemoteException(
        string typeName,
        string message,
        string? remoteStackTrace,
        RemoteException? innerException = null)
        : base(message, innerException)
    {
        ArgumentNullException.ThrowIfNull(typeName);
        TypeName = typeName;
        RemoteStackTrace = remoteStackTrace;
    }

    /// <summary>Full name of the exception type on the server.</summary>
    public string TypeName { get; }

    /// <summary>The stack on the server; null when the server keeps stacks to itself.</summary>
    public string? RemoteStackTrace { get; }

    /// <summary>The address of the heading of docs/error-catalogue.md that explains this error, unless another link was
    /// set.</summary>
    public override string? HelpLink => base.HelpLink ?? HelpPage.LinkTo(this);

    /// <summary>The remote type, message and stack, followed by the stack of the caller in this process. What the
    /// server said is cleaned for logs: its message stays on one line, and each line of its stack is indented, so that
    /// no peer can write what looks like an entry of its own.</summary>
    public override string ToString()
    {
        var text = new StringBuilder();
        text.Append(typeof(RemoteException).FullName).Append(" (").Append(LogText.Clean(TypeName)).Append("): ")
            .Append(LogText.Clean(Message, MessageLengthMax));
        if (InnerException is not null)
        {
            text.AppendLine().Append(" ---> ").Append(InnerException);
            text.AppendLine().Append("   --- End of inner exception ---");
        }

        if (RemoteStackTrace is not null)
        {
            AppendStack(text, RemoteStackTrace);
            text.AppendLine().Append("   --- End of remote stack ---");
        }

        if (StackTrace is not null)
            text.AppendLine().Append(StackTrace);
        return text.ToString();
    }

    private static void AppendStack(StringBuilder text, string stack)
    {
        foreach (var line in stack.AsSpan().EnumerateLines())
            text.AppendLine().Append("   ").Append(LogText.Clean(line.Trim().ToString()));
    }
}
