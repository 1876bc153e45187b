using Cluster.Slim.Codecs.Maps;
using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Exceptions;

/// <summary>Writes and reads exceptions. A public constructor of the framework class runs on an empty shell;
/// serialization constructors never run. Body: texts, result code, inner exceptions, data entries, then the fields of
/// the user's classes.</summary>
/// <typeparam name="T">The exception type.</typeparam>
internal sealed class ExceptionSerializer<T>(FieldSet<T>? fields, SerializerSource source) : TypeSerializer(typeof(T))
    where T : Exception
{
    private const int ExceptionBytes = 256;

    private readonly ExceptionConstructor _constructor = new(typeof(T));
    private readonly bool _isLinkComputed = ExceptionHelpLink.IsComputedBy(typeof(T));
    private readonly FieldSerializer<Exception?> _inner = source.FieldSerializerOf<Exception?>();
    private readonly FieldSerializer<Exception[]?> _children = source.FieldSerializerOf<Exception[]?>();
    private readonly FieldSerializer<object?> _value = source.FieldSerializerOf<object?>();
    private readonly ExceptionEntries _data = new ExceptionEntries(source);
    private readonly FieldSet<T>? _fields = fields;

    public override void Describe(LayoutBuilder layout)
    {
        layout.Body.Text().Text().Place(typeof(object)).Text().Text().Text().Bytes(sizeof(int));
        layout.Body.Place(typeof(Exception)).Place(typeof(Exception[]));
        ExceptionEntries.Describe(layout.Body);
        _fields?.Describe(layout);
    }

    public override object Create(SlimReader reader)
    {
        reader.Charge(ExceptionBytes);
        return ShellConstructor.NewShell(typeof(T));
    }

    public override void WriteBody(SlimWriter writer, object value)
    {
        var exception = (T)value;
        if (writer.Callbacks.Trial?.IsSettled(writer, exception) == true)
            return;
        writer.WriteString(_constructor.MessageOf(exception));
        writer.WriteString((exception as ArgumentException)?.ParamName);
        _value.Write(writer, DetailOf(writer, exception));
        writer.WriteString(writer.OmitsExceptionStacks ? null : exception.Source);
        writer.WriteString(ExceptionHelpLink.Of(exception, _isLinkComputed));
        writer.WriteString(writer.OmitsExceptionStacks ? null : RemoteStack.TextOf(exception));
        writer.WriteRaw(exception.HResult);
        writer.Trace?.Push(nameof(Exception.InnerException));
        _inner.Write(writer, exception.InnerException);
        _children.Write(writer, ChildrenOf(exception));
        writer.Trace?.Pop();
        if (writer.OmitsExceptionStacks)
            writer.WriteVar(0u);
        else
            _data.Write(writer, exception);
        _fields?.Write(writer, ref exception);
    }

    public override void ReadBody(SlimReader reader, object instance)
    {
        var exception = (T)instance;
        var message = reader.ReadString();
        var parameter = reader.ReadString();
        var detail = _value.Read(reader);
        ExceptionSettings settings = new(
            reader.ReadString(), reader.ReadString(), reader.ReadString(), reader.ReadRaw<int>());
        var inner = _inner.Read(reader);
        var children = _children.Read(reader);
        ExceptionParts parts = new(message, parameter, detail, inner, children);

        // Below the depth limit, bodies of arrays come later, so these arrays are still empty.
        var isLate = reader.Depth >= ObjectTags.DepthMax && (children is not null || detail is object[]);
        if (!isLate)
            Construct(exception, parts, settings);
        var entries = _data.Read(reader);
        _fields?.Read(reader, ref exception);
        if (isLate || (entries is not null && ExceptionEntries.HasKeys(entries)))
            reader.Completions.Add(this, instance, new ExceptionContent(isLate ? parts : null, settings, entries));
        else if (entries is not null)
            ExceptionEntries.Fill(reader.Keys, exception.Data, entries);
    }

    public override void Complete(SlimReader reader, object instance, object content)
    {
        (var parts, var settings, var entries) =
            (ExceptionContent)content;
        var exception = (T)instance;
        if (parts is not null)
            Construct(exception, parts, settings);
        if (entries is not null)
            ExceptionEntries.Fill(reader.Keys, exception.Data, entries);
    }

    private void Construct(T exception, ExceptionParts parts, ExceptionSettings settings)
    {
        _constructor.Run(exception, parts);
        settings.Apply(exception);
    }

    private static Exception[]? ChildrenOf(T exception) => exception switch
    {
        AggregateException aggregate => [.. aggregate.InnerExceptions],
        ReflectionTypeLoadException load => [.. load.LoaderExceptions!],
        _ => null,
    };

    // A type that is not on the closed list becomes null, as the framework does with types that it could not load.
    private object? DetailOf(SlimWriter writer, T exception)
    {
        var detail = _constructor.DetailOf(exception);
        return detail is object?[] types
            ? Array.ConvertAll(types, type => DataTrial.Of(writer).IsCarried(exception, type) ? type : null)
            : detail;
    }
}

/// <summary>Holds what was read of an exception until the graph is complete, because parts of it were not complete when
/// its body ended.</summary>
/// <param name="Parts">The arguments of its constructor; null if the constructor has run.</param>
/// <param name="Settings">The properties to set after the constructor.</param>
/// <param name="Entries">Its data; null if there are none.</param>
internal sealed record ExceptionContent(
    ExceptionParts? Parts, ExceptionSettings Settings, Entries<object, object?>? Entries);
