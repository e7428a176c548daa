export { csvCell, csvLines, type CsvColumn, type CsvValue } from './csv-text';
