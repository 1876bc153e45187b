using System.ComponentModel;
using System.Net.Sockets;
using System.Text.Json;
using Cluster.Slim.Errors;

namespace Cluster.Slim.Codecs.Exceptions;

/// <summary>Describes the one property that a framework exception has in addition to those of all exceptions, and the
/// public constructor that takes it. Immutable.</summary>
/// <param name="Type">The exception class that declares the property.</param>
/// <param name="ValueOf">Returns the property as a simple value; null when it is not set.</param>
/// <param name="Parameters">The parameter types of the constructor.</param>
/// <param name="ArgumentsOf">Makes the constructor's arguments from the parts and the value.</param>
internal sealed record ExceptionDetail(
    Type Type,
    Func<Exception, object?> ValueOf,
    Type[] Parameters,
    Func<ExceptionParts, object, object?[]> ArgumentsOf)
{
    private const char Separator = ';';

    private static readonly ExceptionDetail[] All =
    [
        new(typeof(ArgumentOutOfRangeException),
            static e => SimpleOf(((ArgumentOutOfRangeException)e).ActualValue),
            [typeof(string), typeof(object), typeof(string)],
            static (parts, value) => [parts.Parameter, value, parts.Message]),
        new(typeof(CultureNotFoundException),
            static e => ((CultureNotFoundException)e).InvalidCultureName,
            [typeof(string), typeof(string), typeof(string)],
            static (parts, value) => [parts.Parameter, TextOf(value), parts.Message]),
        new(typeof(ObjectDisposedException),
            static e => ((ObjectDisposedException)e).ObjectName is { Length: > 0 } name ? name : null,
            [typeof(string), typeof(string)],
            static (parts, value) => [TextOf(value), parts.Message]),
        new(typeof(FileNotFoundException), static e => ((FileNotFoundException)e).FileName, WithText, FileArguments),
        new(typeof(FileLoadException), static e => ((FileLoadException)e).FileName, WithText, FileArguments),
        new(typeof(BadImageFormatException),
            static e => ((BadImageFormatException)e).FileName,
            WithText,
            FileArguments),
        new(typeof(TypeInitializationException),
            static e => ((TypeInitializationException)e).TypeName,
            [typeof(string), typeof(Exception)],
            static (parts, value) => [TextOf(value), parts.Inner]),
        new(typeof(HttpListenerException), static e => CodeOf(e), WithCode, CodeArguments),
        new(typeof(SocketException),
            static e => e.InnerException is null ? (int)((SocketException)e).SocketErrorCode : null,
            WithCode,
            CodeArguments),
        new(typeof(Win32Exception), static e => CodeOf(e), WithCode, CodeArguments),
        new(typeof(ReflectionTypeLoadException),
            static e => ((ReflectionTypeLoadException)e).Types.ToArray<object?>(),
            [typeof(Type[]), typeof(Exception[]), typeof(string)],
            static (parts, value) => [TypesOf(value), parts.Children, parts.Message]),
        new(typeof(JsonException),
            static e => PositionOf((JsonException)e),
            [typeof(string), typeof(string), typeof(long?), typeof(long?), typeof(Exception)],
            PositionArguments),
        new(typeof(HttpIOException),
            static e => (int)((HttpIOException)e).HttpRequestError,
            [typeof(HttpRequestError), typeof(string), typeof(Exception)],
            static (parts, value) => [(HttpRequestError)NumberOf(value), parts.Message, parts.Inner]),
        new(typeof(HttpProtocolException),
            static e => ((HttpProtocolException)e).ErrorCode,
            [typeof(long), typeof(string), typeof(Exception)],
            static (parts, value) => [ErrorCodeOf(value), parts.Message, parts.Inner]),
        new(typeof(HttpRequestException),
            static e => (int?)((HttpRequestException)e).StatusCode,
            [typeof(string), typeof(Exception), typeof(HttpStatusCode?)],
            static (parts, value) => [parts.Message, parts.Inner, (HttpStatusCode)NumberOf(value)]),
    ];

    private static Type[] WithText => [typeof(string), typeof(string), typeof(Exception)];

    private static Type[] WithCode => [typeof(int), typeof(string)];

    /// <summary>Finds the detail of exactly this framework class; a derived class has other constructors.</summary>
    public static ExceptionDetail? Find(Type framework) => Array.Find(All, d => d.Type == framework);

    private static object?[] FileArguments(ExceptionParts parts, object value) =>
        [parts.Message, TextOf(value), parts.Inner];

    private static object?[] CodeArguments(ExceptionParts parts, object value) => [NumberOf(value), parts.Message];

    // No constructor takes both a code and an inner exception; one without a code takes the code of the last system
    // call. So the code travels only without an inner exception.
    private static int? CodeOf(Exception exception) =>
        exception.InnerException is null ? ((Win32Exception)exception).NativeErrorCode : null;

    // Line, byte and path, as in "3;14;$.name". Each of them may be missing.
    private static string? PositionOf(JsonException error)
    {
        if (error.LineNumber is null && error.BytePositionInLine is null && error.Path is null)
            return null;
        var position = string.Create(
            CultureInfo.InvariantCulture, $"{error.LineNumber}{Separator}{error.BytePositionInLine}");
        return error.Path is null ? position : position + Separator + error.Path;
    }

    private static object?[] PositionArguments(ExceptionParts parts, object value)
    {
        var position = TextOf(value).Split(Separator, 3);
        if (position.Length < 2)
            Throw.Malformed("The detail of an exception is not a position.");
        var path = position.Length > 2 ? position[2] : null;
        return [parts.Message, path, PositionNumberOf(position[0]), PositionNumberOf(position[1]), parts.Inner];
    }

    private static long? PositionNumberOf(string text)
    {
        if (text.Length == 0)
            return null;
        if (!long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number))
            Throw.Malformed("The detail of an exception is not a position.");
        return number;
    }

    private static Type?[] TypesOf(object value)
    {
        if (value is not object?[] types || Array.Exists(types, static type => type is not (null or System.Type)))
        {
            Throw.Malformed("The detail of an exception is not an array of types.");
            return [];
        }

        return Array.ConvertAll(types, static type => (Type?)type);
    }

    /// <summary>Whether the value has a type that is on every closed list.</summary>
    public static bool IsSimple(object value) => value is string or bool or byte or sbyte or char or short or ushort
        or int or uint or long or ulong or float or double or decimal or DateTime or DateTimeOffset or TimeSpan or Guid;

    // The type of the value may not be on the closed list. The framework shows only the value's text, so the text
    // suffices.
    private static object? SimpleOf(object? value) => value is null || IsSimple(value) ? value : value.ToString();

    private static string TextOf(object value)
    {
        if (value is not string)
            Throw.Malformed("The detail of an exception is not a text.");
        return (string)value;
    }

    private static long ErrorCodeOf(object value)
    {
        if (value is not long)
            Throw.Malformed("The detail of an exception is not a long number.");
        return (long)value;
    }

    private static int NumberOf(object value)
    {
        if (value is not int)
            Throw.Malformed("The detail of an exception is not a number.");
        return (int)value;
    }
}
