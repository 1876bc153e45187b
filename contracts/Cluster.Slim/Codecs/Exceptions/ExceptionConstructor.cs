using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Types;

namespace Cluster.Slim.Codecs.Exceptions;

/// <summary>Holds the arguments for a constructor of an exception.</summary>
/// <param name="Message">The message without the text that the framework appends.</param>
/// <param name="Parameter">The parameter name of an argument exception.</param>
/// <param name="Detail">The property that only this exception class has, see <see cref="ExceptionDetail"/>.</param>
/// <param name="Inner">The inner exception.</param>
/// <param name="Children">The inner exceptions of an aggregate, or the loader exceptions of a failed load of
/// types.</param>
internal sealed record ExceptionParts(
    string? Message, string? Parameter, object? Detail, Exception? Inner, Exception[]? Children);

/// <summary>Chooses the framework constructor that runs on the shell of an exception: that of the most derived
/// framework class in its chain that takes a message and an inner exception. Immutable.</summary>
internal sealed class ExceptionConstructor
{
    // The message of these classes is the given message and parts that travel anyway, so a reader can rebuild it.
    private static readonly Type[] MessageDeclarers =
    [
        typeof(Exception), typeof(ArgumentException), typeof(ArgumentOutOfRangeException), typeof(AggregateException),
        typeof(ObjectDisposedException), typeof(FileNotFoundException), typeof(FileLoadException),
        typeof(BadImageFormatException), typeof(ReflectionTypeLoadException),
        typeof(CultureNotFoundException), typeof(HttpIOException),
    ];

    private readonly ExceptionDetail? _detail;
    private readonly ShellConstructor? _detailed;
    private readonly ShellConstructor? _aggregate;
    private readonly ShellConstructor? _argument;
    private readonly ShellConstructor _general;
    private readonly bool _isMessageRebuilt;

    public ExceptionConstructor(Type type)
    {
        var level = type;
        while (!TypeRules.IsFramework(level) || !level.IsVisible)
            level = level.BaseType!;
        _isMessageRebuilt = MessageDeclarers.Contains(level.GetProperty(nameof(Exception.Message))!.DeclaringType);
        _detail = ExceptionDetail.Find(level);
        _detailed = _detail is null ? null : ShellConstructor.Find(level, _detail.Parameters);
        if (typeof(AggregateException).IsAssignableFrom(level))
            _aggregate = ShellConstructor.Find(typeof(AggregateException), typeof(string), typeof(Exception[]));
        else if (typeof(ArgumentException).IsAssignableFrom(level))
            _argument = ShellConstructor.Find(
                typeof(ArgumentException), typeof(string), typeof(string), typeof(Exception));
        _general = FindGeneral(level);
    }

    public string? MessageOf(Exception exception) => ExceptionMessage.Of(exception, _isMessageRebuilt);

    /// <summary>The property that only this exception class has; null if no constructor takes it.</summary>
    public object? DetailOf(Exception exception) => _detailed is null ? null : _detail!.ValueOf(exception);

    public void Run(Exception shell, ExceptionParts parts)
    {
        if (parts.Detail is not null && _detailed is null)
            Throw.Malformed($"A {shell.GetType()} has no detail.");
        if (parts.Detail is not null)
            _detailed!.Run(shell, _detail!.ArgumentsOf(parts, parts.Detail));
        else if (_aggregate is not null)
            _aggregate.Run(shell, parts.Message, parts.Children ?? []);
        else if (_argument is not null)
            _argument.Run(shell, parts.Message, parts.Parameter, parts.Inner);
        else
            _general.Run(shell, parts.Message, parts.Inner);
    }

    // The text parameter of some classes is not the message; then the constructor of the base class runs.
    private static ShellConstructor FindGeneral(Type level)
    {
        for (; ; level = level.BaseType!)
        {
            var constructor = level.GetConstructor(
                BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic,
                [typeof(string), typeof(Exception)]);
            if (constructor?.GetParameters()[0].Name == "message"
                && ShellConstructor.Find(level, typeof(string), typeof(Exception)) is { } found)
                return found;
        }
    }
}
