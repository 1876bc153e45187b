using System.Collections;
using Cluster.Slim.Layouts;
using Cluster.Slim.Plans;

namespace Cluster.Slim.Codecs;

/// <summary>
/// An exception, rebuilt by a public constructor of its framework class on an empty shell; serialization constructors
/// never run. Body: texts, result code, inner exceptions, data entries, then the fields of the user's classes.
/// </summary>
/// <typeparam name="T">The exception type.</typeparam>
internal sealed class ExceptionPlan<T> : ObjectPlan
    where T : Exception
{
    private const int ExceptionBytes = 256;

    private readonly ExceptionConstructor _constructor = new(typeof(T));
    private readonly Slot<Exception?> _inner;
    private readonly Slot<Exception[]?> _children;
    private readonly Slot<object?> _value;
    private readonly FieldSet<T>? _fields;

    internal ExceptionPlan(FieldSet<T>? fields, SlotSource slots)
        : base(typeof(T))
    {
        _inner = slots.SlotOf<Exception?>();
        _children = slots.SlotOf<Exception[]?>();
        _value = slots.SlotOf<object?>();
        _fields = fields;
    }

    internal override void Describe(LayoutBuilder layout)
    {
        layout.Body.Text().Text().Place(typeof(object)).Text().Text().Text().Bytes(sizeof(int));
        layout.Body.Place(typeof(Exception)).Place(typeof(Exception[])).Items(typeof(string), typeof(object));
        _fields?.Describe(layout);
    }

    internal override object Create(SlimReader reader)
    {
        reader.Charge(ExceptionBytes);
        return ShellConstructor.NewShell(typeof(T));
    }

    internal override void WriteBody(SlimWriter writer, object value)
    {
        T exception = (T)value;
        writer.WriteString(_constructor.MessageOf(exception));
        writer.WriteString((exception as ArgumentException)?.ParamName);
        _value.Write(writer, _constructor.DetailOf(exception));
        writer.WriteString(writer.OmitsExceptionStacks ? null : exception.Source);
        writer.WriteString(exception.HelpLink);
        writer.WriteString(writer.OmitsExceptionStacks ? null : RemoteStack.TextOf(exception));
        writer.WriteRaw(exception.HResult);
        writer.Trace?.Push(nameof(Exception.InnerException));
        _inner.Write(writer, exception.InnerException);
        _children.Write(writer, (exception as AggregateException)?.InnerExceptions.ToArray());
        writer.Trace?.Pop();
        if (writer.OmitsExceptionStacks)
            writer.WriteVar(0u);
        else
            WriteEntries(writer, exception.Data);
        _fields?.Write(writer, ref exception);
    }

    internal override void ReadBody(SlimReader reader, object instance)
    {
        T exception = (T)instance;
        string? message = reader.ReadString();
        string? parameter = reader.ReadString();
        object? detail = _value.Read(reader);
        string? source = reader.ReadString();
        string? helpLink = reader.ReadString();
        string? stack = reader.ReadString();
        int result = reader.ReadRaw<int>();
        Exception? inner = _inner.Read(reader);
        Exception[]? children = _children.Read(reader);
        _constructor.Run(exception, new ExceptionParts(message, parameter, detail, inner, children));
        exception.HResult = result;
        exception.HelpLink = helpLink;
        exception.Source = source;
        RemoteStack.Set(exception, stack);
        ReadEntries(reader, exception.Data);
        _fields?.Read(reader, ref exception);
    }

    private void WriteEntries(SlimWriter writer, IDictionary entries)
    {
        KeyLedger.CheckSearched(writer.Engine.Limits, entries.Count);
        writer.Doubts.Charge(64L * entries.Count);
        writer.WriteVar((uint)entries.Count);
        writer.Trace?.Push(nameof(Exception.Data));
        foreach (DictionaryEntry entry in entries)
        {
            if (entry.Key is not string key)
                throw Throw.NotSupported(entry.Key.GetType(), "keys of exception data have to be text.");
            writer.WriteString(key);
            _value.Write(writer, entry.Value);
        }

        writer.Trace?.Pop();
    }

    private void ReadEntries(SlimReader reader, IDictionary entries)
    {
        int count = reader.ReadCount(2);
        KeyLedger.CheckSearched(reader.Engine.Limits, count);
        for (int i = 0; i < count; i++)
        {
            string? key = reader.ReadString();
            if (key is null)
                Throw.Malformed("A key of exception data is null.");
            reader.Charge(64);
            entries[key!] = _value.Read(reader);
        }
    }
}
