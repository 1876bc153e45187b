using System.Text.Json;

namespace Cluster.Slim.Types;

/// <summary>The exceptions of the framework that a place of type <see cref="Exception"/> admits without a
/// list.</summary>
internal static class FrameworkExceptions
{
    // What the framework throws for text that is no JSON; programs can name its base class only.
    private static IEnumerable<Type> JsonReading =>
        typeof(JsonException).Assembly.GetType("System.Text.Json.JsonReaderException") is { } type ? [type] : [];

    public static readonly Type[] All =
    [
        typeof(Exception), typeof(SystemException), typeof(ApplicationException), typeof(AggregateException),
        typeof(ArgumentException), typeof(ArgumentNullException), typeof(ArgumentOutOfRangeException),
        typeof(InvalidOperationException), typeof(ObjectDisposedException), typeof(NotSupportedException),
        typeof(NotImplementedException), typeof(TimeoutException), typeof(OperationCanceledException),
        typeof(TaskCanceledException), typeof(KeyNotFoundException), typeof(IndexOutOfRangeException),
        typeof(InvalidCastException), typeof(NullReferenceException), typeof(FormatException),
        typeof(ArithmeticException), typeof(OverflowException), typeof(DivideByZeroException),
        typeof(UnauthorizedAccessException), typeof(IOException), typeof(EndOfStreamException),
        typeof(FileNotFoundException), typeof(DirectoryNotFoundException), typeof(InvalidDataException),
        typeof(ReflectionTypeLoadException), typeof(JsonException), .. JsonReading,
    ];
}
