using System.Text.Json;

namespace Cluster.Slim.Types;

/// <summary>Lists the framework exceptions that every place of type <see cref="Exception"/> admits without a closed
/// list.</summary>
internal static class FrameworkExceptions
{
    // The framework throws this internal type for text that is not JSON; programs can name only its base class.
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
