using Cluster.Slim.Types;

namespace Cluster.Slim.Codecs;

/// <summary>What a constructor of an exception needs.</summary>
/// <param name="Message">The message without what the framework appends to it.</param>
/// <param name="Parameter">The parameter name of an argument exception.</param>
/// <param name="Inner">The inner exception.</param>
/// <param name="Children">The children of an aggregate.</param>
internal sealed record ExceptionParts(string? Message, string? Parameter, Exception? Inner, Exception[]? Children);

/// <summary>
/// Chooses the framework constructor that runs on the shell of an exception: the most specific framework class of its
/// chain that takes message and inner exception. Immutable.
/// </summary>
internal sealed class ExceptionConstructor
{
    private readonly ShellConstructor? _aggregate;
    private readonly ShellConstructor? _argument;
    private readonly ShellConstructor _general;

    internal ExceptionConstructor(Type type)
    {
        Type level = type;
        while (!TypeRules.IsFramework(level))
            level = level.BaseType!;
        if (typeof(AggregateException).IsAssignableFrom(level))
            _aggregate = ShellConstructor.Find(typeof(AggregateException), typeof(string), typeof(Exception[]));
        else if (typeof(ArgumentException).IsAssignableFrom(level))
            _argument = ShellConstructor.Find(
                typeof(ArgumentException), typeof(string), typeof(string), typeof(Exception));
        ShellConstructor? found = null;
        for (; found is null; level = level.BaseType!)
            found = ShellConstructor.Find(level, typeof(string), typeof(Exception));
        _general = found;
    }

    /// <summary>The message as it was given to the constructor.</summary>
    internal static string MessageOf(Exception exception)
    {
        string message = exception.Message;
        if (exception is ArgumentException { ParamName: { Length: > 0 } name })
        {
            string suffix = $" (Parameter '{name}')";
            return message.EndsWith(suffix, StringComparison.Ordinal) ? message[..^suffix.Length] : message;
        }

        if (exception is not AggregateException aggregate)
            return message;
        string children = string.Concat(aggregate.InnerExceptions.Select(static e => $" ({e.Message})"));
        return children.Length > 0 && message.EndsWith(children, StringComparison.Ordinal)
            ? message[..^children.Length]
            : message;
    }

    internal void Run(Exception shell, ExceptionParts parts)
    {
        if (_aggregate is not null)
            _aggregate.Run(shell, parts.Message, parts.Children ?? []);
        else if (_argument is not null)
            _argument.Run(shell, parts.Message, parts.Parameter, parts.Inner);
        else
            _general.Run(shell, parts.Message, parts.Inner);
    }
}
