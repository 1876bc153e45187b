using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Types;

namespace Cluster.Slim.Codecs.Exceptions;

/// <summary>What a constructor of an exception needs.</summary>
/// <param name="Message">The message without what the framework appends to it.</param>
/// <param name="Parameter">The parameter name of an argument exception.</param>
/// <param name="Detail">The property that the class has beside what all have.</param>
/// <param name="Inner">The inner exception.</param>
/// <param name="Children">The children of an aggregate.</param>
internal sealed record ExceptionParts(
    string? Message, string? Parameter, object? Detail, Exception? Inner, Exception[]? Children);

/// <summary>Chooses the framework constructor that runs on the shell of an exception: the most specific framework class
/// of its chain that takes message and inner exception. Immutable.</summary>
internal sealed class ExceptionConstructor
{
    // Their messages are what they were given, and what they append from parts that travel.
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

    /// <summary>The message as it was given to the constructor.</summary>
    public string? MessageOf(Exception exception) => ExceptionMessage.Of(exception, _isMessageRebuilt);

    /// <summary>The property that the class has beside what all have, if its constructor can take it.</summary>
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

    // Some classes take another text there; then it is that of their base class.
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
